! call swept x=[1.5,1.7,1.9,2.1] y=1
! call picked x=[1.5,1.7,1.9,2.1] y=1
! The selectors are elements: in the backward sweep their subscripts must have the values of the round.
! A counter has it; what is computed must be recorded.
module select_type_of_elements
  implicit none
  type :: base
    real(8) :: g = 1
  end type base
  type, extends(base) :: wide
    real(8) :: h = 2
    integer :: n = 1
  end type wide
  type :: cell
    class(base), allocatable :: item
  end type cell
contains
  subroutine swept(x, y)
    real(8), intent(inout) :: x(4), y
    type(cell) :: cells(2)
    integer :: i, k
    allocate (wide :: cells(1)%item)
    allocate (base :: cells(2)%item)
    rounds: do i = 1, 4
      do k = 1, 2
        select type (p => cells(k)%item)
        type is (base)
          p%g = p%g*x(1)
        class is (wide)
          p%h = p%h*x(i)
          if (p%h > 5) then
            p%g = p%g*x(2)
            p%n = p%n + 1
            cycle rounds
          end if
        end select
        y = y*cells(k)%item%g
      end do
    end do rounds
    y = y*cells(1)%item%g*cells(2)%item%g
  end subroutine swept

  subroutine picked(x, y)
    real(8), intent(inout) :: x(4), y
    type(cell) :: cells(3)
    integer :: order(3), i
    allocate (wide :: cells(1)%item)
    allocate (base :: cells(2)%item)
    allocate (wide :: cells(3)%item)
    order = [3, 1, 2]
    do i = 1, 7
      select type (p => cells(order(mod(i, 3) + 1))%item)
      class is (wide)
        if (p%n < 3) then
          p%h = p%h*p%g*x(p%n)
        else
          p%g = p%g*p%h*x(4)
        end if
        p%n = p%n + 1
        y = y + sin(p%h)
      type is (base)
        p%g = sin(p%g)*x(2)*y
      end select
      order = cshift(order, 1)
    end do
    y = y*cells(2)%item%g
  end subroutine picked
end module select_type_of_elements
