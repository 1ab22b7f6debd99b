! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! call pops x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! Arms of SELECT TYPE that hold nothing but a pop, or do not name what they narrow, are opened again in the
! backward sweep: the subscripts of their selectors are there.
module opened
  implicit none
  type :: base
    integer :: n = 1
  end type base
  type, extends(base) :: e3
  end type e3
  type :: cell
    class(base), allocatable :: o
  end type
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(cell) :: c(3)
    real(8) :: w(3)
    integer :: i, k, j
    allocate (base :: c(1)%o)
    allocate (e3 :: c(2)%o)
    allocate (base :: c(3)%o)
    w = x(1:3)
    k = 2
    j = 2
    do i = 1, 5
      select type (z => c(j)%o)
      class is (e3)
        w(1) = sin(w(1))*w(2)
        if (i > 2) then
          w(3) = w(3)*w(1)
          j = mod(i*j, 3) + 1
        end if
      class default
        w(2) = w(2)*w(3)
        j = mod(i, 3) + 1
      end select
    end do
    y(1) = w(1)*w(2)
    y(2) = w(k)
  end subroutine head
end module
module popped
  implicit none
  type :: base
    integer :: n = 1
  end type base
  type, extends(base) :: e3
  end type e3
  type :: cell
    class(base), allocatable :: o
  end type
contains
  subroutine pops(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(cell) :: c(3)
    real(8) :: w(3)
    integer :: i, k
    allocate (base :: c(1)%o)
    allocate (e3 :: c(2)%o)
    allocate (base :: c(3)%o)
    w = x(1:3)
    k = 2
    w(k) = sin(w(k))*x(4)
    do i = 1, 2
      select type (z => c(mod(i, 3) + 1)%o)
      class is (e3)
        k = 3
      end select
    end do
    y(1) = w(1)*w(2)
    y(2) = w(k)
  end subroutine pops
end module
