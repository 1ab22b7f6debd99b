module api
  implicit none
  type :: counter
    integer :: n = 0
  contains
    procedure :: bump
  end type counter
  interface
    module subroutine bump(self, by)
      class(counter), intent(inout) :: self
      integer, intent(in), optional :: by
    end subroutine bump
    module integer function twice(c)
      type(counter), intent(in) :: c
    end function twice
  end interface
end module api
