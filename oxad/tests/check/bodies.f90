! Derived types with components of every kind, and a function of a module.
module bodies
  implicit none
  type point
    real(8) :: at(3) = 0
    real(8) :: mass = 1
  end type point

  type body
    character(len=8) :: name = ' '
    integer :: n = 0
    type(point) :: centre
    type(point), allocatable :: parts(:)
    real(8), pointer :: unused(:) => null()
  end type body
contains
  function energy(b, speeds) result(total)
    type(body), intent(in) :: b
    real(8), intent(in) :: speeds(:, :)
    real(8) :: total
    integer :: i

    total = dot_product(b%centre%at, b%centre%at)*b%centre%mass
    do i = 1, size(b%parts)
      total = total + b%parts(i)%mass*sum(speeds(:, i)**2) + product(b%parts(i)%at)
    end do
  end function energy
end module bodies
