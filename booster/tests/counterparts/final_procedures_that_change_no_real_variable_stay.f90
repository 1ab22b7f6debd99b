module handles
  implicit none
  integer :: open_handles = 0
  type :: handle
    integer :: unit = 0
    integer, pointer :: list(:) => null()
  contains
    final :: forget
  end type handle
contains
  subroutine forget(this)
    type(handle), intent(inout) :: this
    real :: local
    local = real(this%unit)
    open_handles = open_handles - int(local)
    call drop(this)
  end subroutine forget
  subroutine drop(this)
    type(handle), intent(inout) :: this
    if (associated(this%list)) deallocate (this%list)
  end subroutine drop
  subroutine scale(x)
    real, intent(inout) :: x
    type(handle) :: own
    own%unit = 2
    x = own%unit*x
  end subroutine scale
end module handles
