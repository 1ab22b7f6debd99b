! call p x=[0.5,1.5,0.75] y=0.5
! along x=[1,-1,0.5] y=0.25
! Only an internal procedure names variables of a module that others allocate: their derivatives have their shapes where
! its backward sweep begins.
module internal_procedures_name_reshaped_module_variables
  implicit none
  type :: item
    real(8) :: v = 1
    real(8), allocatable :: w(:)
  end type item
  real(8), allocatable, save :: buffer(:)
  type(item), allocatable, save :: current

contains

  subroutine grow(n)
    integer, intent(in) :: n

    if (allocated(buffer)) deallocate(buffer)
    allocate(buffer(0:n))
    buffer = 0.5d0
  end subroutine grow

  subroutine renew(n)
    integer, intent(in) :: n
    type(item), allocatable :: next

    allocate(next)
    allocate(next%w(n), source=0.25d0)
    call move_alloc(next, current)
  end subroutine renew

  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    integer :: k

    do k = 1, 2
      call use_buffer
    end do
    call use_current
  contains
    subroutine use_buffer
      call grow(k)
      buffer(1:k) = x(1:k)*y
      y = y + sum(buffer**2)
    end subroutine use_buffer

    subroutine use_current
      call renew(k)
      current%w(k) = x(3)*y
      y = y*current%v + sum(current%w*x)
      call renew(1)
      current%v = y
      y = y*current%v*current%w(1)
    end subroutine use_current
  end subroutine p
end module internal_procedures_name_reshaped_module_variables
