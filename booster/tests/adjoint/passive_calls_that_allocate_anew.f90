! call top x=[0.5,1.5,-0.75] y=0.0
! A call that has no adjoint allocates a variable anew that has one: where the variable gets its old shape
! back, so does its adjoint.
module anew
  implicit none
  real(8), allocatable :: kept(:)
contains
  subroutine shrink(a)
    real(8), allocatable, intent(inout) :: a(:)
    real(8), allocatable :: h(:)
    allocate (h(1))
    h = 2
    call move_alloc(h, a)
  end subroutine shrink

  subroutine forget()
    if (allocated(kept)) deallocate (kept)
    allocate (kept(2), source=1.0d0)
  end subroutine forget

  subroutine fill(a)
    real(8), intent(inout) :: a(:)
    a = 3
  end subroutine fill
end module anew

subroutine top(x, y)
  use anew
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8), allocatable :: av(:), bv(:)
  integer :: k
  allocate (av(3))
  if (allocated(kept)) deallocate (kept)
  allocate (kept(3))
  y = 0
  do k = 1, 2
    if (size(av) < 3) then
      deallocate (av)
      allocate (av(3))
    end if
    av(:) = x*sin(x)
    if (size(kept) /= 3) then
      deallocate (kept)
      allocate (kept(3))
    end if
    kept(:) = y*cos(x)
    y = y + sum(av*av) + sum(kept*x)
    call shrink(av)
    y = y + av(1)*x(k)
    call forget()
    call fill(av)
    y = y*av(1)
  end do
  allocate (bv(3))
  bv = x*y
  y = y + sum(bv)
  call shrink(bv)
  bv = 0.5d0
  y = y*bv(1)
end subroutine top
