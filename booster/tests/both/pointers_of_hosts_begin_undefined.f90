! call p x=[0.5,1.5,0.75,1.25] y=0.5
! Internal procedures associate pointers of their host, with bounds, by ALLOCATE, or in others that they pass them to: the
! association before, which is undefined, is recorded.
module associates
  implicit none

contains

  subroutine associate_with(q, a)
    real(8), pointer, intent(inout) :: q(:)
    real(8), target, intent(in) :: a(:)

    q => a(2:)
  end subroutine associate_with
end module associates

subroutine p(x, y)
  use associates, only: associate_with
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(inout) :: y
  real(8), target :: a(6)
  real(8), pointer :: m(:, :), made(:), passed(:)

  a = 0.5d0
  a(1:4) = x*y
  call bounds
  call memory
  call others
  deallocate(made)
contains
  subroutine bounds
    m(1:2, 0:2) => a
    m(2, 1) = m(1, 0)*x(2)
    y = y + sum(m)
  end subroutine bounds

  subroutine memory
    allocate(made(2))
    made = x(3:4)*y
    y = y + made(1)*made(2)
  end subroutine memory

  subroutine others
    call associate_with(passed, a)
    passed(1) = passed(2)*y
    y = y*passed(1) + sum(passed)
  end subroutine others
end subroutine p
