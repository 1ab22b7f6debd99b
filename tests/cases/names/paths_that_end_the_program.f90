! Paths that end the program are no paths to the end of a procedure: nothing is recorded for them.
module hidden
  implicit none
  private
  real(8), save :: work(10) = 1
  integer, save :: level = 0
  public :: clear, fail, check, never, depth
contains
  subroutine clear
    work = 0
  end subroutine
  subroutine fail(n, values)
    integer, intent(in) :: n
    real(8), intent(inout) :: values(:)
    level = level + n
    values = 2*values
    print *, 'wrong', n, values
    call exit(n)
  end subroutine
  recursive subroutine depth(n)
    integer, intent(in) :: n
    work = work*n
    if (n > 3) error stop 'too deep'
    call depth(n + 1)
  end subroutine
  subroutine never(n)
    integer, intent(inout) :: n
    do
      n = n + 1
      if (n > 100) call exit(n)
    end do
  end subroutine
  subroutine check(a)
    real(8), intent(inout) :: a(:)
    real(8), allocatable :: told(:)
    if (any(a > 100)) then
      allocate(told(size(a)))
      told = a
      if (allocated(told)) call fail(1, told)
    else if (sum(a) > 1000) then
      call fail(2, a)
      a = a*a
    end if
    a = a*cos(a)
  end subroutine
end module
module m
  use hidden, only: fail, check, never, depth
  implicit none
contains
  real(8) function lost(z)
    real(8), intent(in) :: z
    lost = z*z
    print *, 'lost', z
    stop 3
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: t, w(3)
    integer :: i, k
    w = x
    t = 1
    k = 0
    do i = 1, 3
      k = k + i
      call check(w)
      if (w(i) > 50) then
        t = t*w(i)
        call fail(i, w)
        t = 0
      end if
      select case (k)
      case (100)
        t = lost(t)
        w = w*t
      case (200)
        call depth(1)
      case (300)
        call never(k)
        return
      case default
        t = t*w(i)*k
      end select
      w = w*t
      if (t > 1d10) then
        print *, 'diverges', t
        call abort
      end if
    end do
    y = t*sum(w)
    if (y > 1d20) stop
  end subroutine
end module
