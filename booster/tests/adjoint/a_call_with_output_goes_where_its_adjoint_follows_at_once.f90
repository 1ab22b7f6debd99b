! call outer x=[0.3,0.7] y=0
! What a call at the end of the forward sweep writes, its adjoint writes, too: nobody needs it twice. In the
! middle of one it stays.
module writing_calls
  implicit none
contains
  subroutine core(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    real(8) :: s
    s = sin(x(1))*x(2)
    if (s > 1d3) then
      write (*, *) 'too large'
      stop
    end if
    y = s
  end subroutine core
  subroutine middle(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    call core(x, y)
  end subroutine middle
  subroutine outer(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    real(8) :: t
    call middle(x, t)
    y = t*t
    call middle(x*y, t)
    y = y + t
    call core(x, t)
  end subroutine outer
end module writing_calls
