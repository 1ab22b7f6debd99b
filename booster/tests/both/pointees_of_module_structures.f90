! call p x=[0.7,1.3] y=0
! along x=[1,-2]
! Derivatives that a head finds behind pointer components of module variables begin with zero in each call.
module pointees_of_module_structures
  implicit none
  type :: block
    real(8), pointer :: v(:) => null()
  end type block
  type :: pair
    type(block) :: left, right(2)
  end type pair
  type(block), allocatable :: many(:)
  type(block), save :: one, two(2)
  type(pair), save :: both
  logical :: ready = .false.
contains
  subroutine setup
    integer :: k
    allocate (many(2), one%v(2), both%left%v(2))
    do k = 1, 2
      allocate (many(k)%v(2), two(k)%v(2), both%right(k)%v(2))
    end do
    ready = .true.
    call begin
  end subroutine setup
  subroutine begin
    integer :: k
    one%v = 0.3d0
    both%left%v = 0.2d0
    do k = 1, 2
      many(k)%v = 0.3d0
      two(k)%v = 0.4d0
      both%right(k)%v = 0.5d0
    end do
  end subroutine begin
  subroutine step(b, x, y)
    type(block), intent(inout) :: b
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y
    y = y + sum(b%v)*x(1)
    b%v(1) = x(2)**2
    y = y + sum(b%v)
  end subroutine step
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    integer :: k
    if (.not. ready) call setup
    y = 0
    call step(one, x, y)
    call step(both%left, x, y)
    do k = 1, 2
      call step(many(k), x, y)
      call step(two(k), x, y)
      call step(both%right(k), x, y)
    end do
  end subroutine p
end module pointees_of_module_structures
