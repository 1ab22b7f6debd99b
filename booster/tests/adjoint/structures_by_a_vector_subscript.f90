! call head x=[0.3,0.5,0.7,0.9] y=0
! An array of structures by a vector subscript: passed to a procedure, also with an element twice in
! it; assigned, as a whole and by components; and sections of structures with a stride.
module bodies
  implicit none
  type body
    real(8) :: pos(2), vel, mass
  end type body
contains
  subroutine energy(b, n, e)
    integer, intent(in) :: n
    type(body), intent(in) :: b(n)
    real(8), intent(inout) :: e
    integer :: i
    do i = 1, n
      e = e + b(i)%mass*b(i)%vel**2*sum(b(i)%pos**2)*i
    end do
  end subroutine energy
  function force(b, i) result(f)
    type(body), intent(in) :: b(:)
    integer, intent(in) :: i
    real(8) :: f
    f = b(i)%mass*b(i)%pos(1)*b(i)%vel
  end function force
end module bodies

subroutine head(x, y)
  use bodies
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  type(body) :: b(4), c(4)
  integer :: order(4), i, twice(3)
  order = [3, 1, 4, 2]
  twice = [2, 3, 2]
  do i = 1, 4
    b(i)%pos = [x(i), x(i)**2]
    b(i)%vel = sin(x(i))
    b(i)%mass = 1d0 + x(i)*x(5-i)
  end do
  y = 0
  call energy(b(order), 4, y)
  call energy(b(twice), 3, y)
  do i = 1, 4
    y = y + force(b(order), i)*i
  end do
  b(order)%pos(1) = b%pos(1)*b(order)%vel + 1d0
  c = b(order)
  c(order) = b
  y = y + sum(c%pos(1)*c%vel*[1, 2, 3, 4])
  c(1:3) = b(twice)
  c(4:1:-2) = b(1:2)
  call energy(c(twice), 3, y)
  call energy(c, 4, y)
  y = y*sum(b%pos(2))
end subroutine head
