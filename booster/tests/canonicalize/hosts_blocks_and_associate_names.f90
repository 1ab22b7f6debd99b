! A result is computed elsewhere where the procedure could see the variable: the host's, a module's,
! a pointer's. Selectors of ASSOCIATE that are expressions become variables.
module shared
  implicit none
  real :: level = 1.0
contains
  real function raised(x)
    real, intent(in) :: x
    raised = x + level
  end function raised
end module shared

module host
  use shared
  implicit none
contains
  subroutine s(x, y)
    real, intent(inout) :: x, y
    real :: seen, own
    real, target :: t
    seen = 2.0
    own = inner(x)
    seen = inner(own)
    level = raised(seen)
    t = raised(level)
    associate (a => raised(x) + t, b => y, c => x*y)
      b = a*a + c
    end associate
    block
      real :: raised_1
      raised_1 = raised(y)*2.0
      y = raised(raised_1) + own
    end block
  contains
    real function inner(z)
      real, intent(in) :: z
      inner = z*seen
    end function inner
  end subroutine s
end module host

program main
  use host
  implicit none
  real :: x = 1.25, y = 0.5
  call s(x, y)
  print '(3es16.8)', x, y, level
end program main
