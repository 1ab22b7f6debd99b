! The interval along a direction in which no test of a program changes sides.
!
! A tangent that `oxad tangent --validity` writes calls validity_test before each condition and kink: `t` is zero where the
! side changes, `td` is its derivative along the direction. To first order that is at -t/td. Between validity_begin and
! validity_end the module keeps the nearest such place on either side, for each thread.
module oxad_validity
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_positive_inf, ieee_negative_inf
  implicit none
  private
  public :: validity_interval, validity_begin, validity_end
  public :: validity_test, validity_truncated, validity_nearest, validity_rounded
  public :: validity_largest, validity_smallest

  integer, parameter :: width = 64

  type :: validity_interval
    ! Infinite where no test limits the direction.
    real(real64) :: gmin = 0, gmax = 0
    ! The tests that set the bounds, as file:line; blank where there are none.
    character(width) :: at_min = '', at_max = ''
    ! How many tests were seen, and how many of them move along the direction.
    integer(8) :: tests = 0, moving = 0
  end type validity_interval

  type(validity_interval), save :: now
  !$omp threadprivate(now)

  interface validity_test
    module procedure test4, test8, tests4, tests8, tests4_alike, tests8_alike
  end interface validity_test
  interface validity_truncated
    module procedure truncated4, truncated8, truncateds4, truncateds8
  end interface validity_truncated
  interface validity_nearest
    module procedure nearest4, nearest8, nearests4, nearests8
  end interface validity_nearest
  interface validity_rounded
    module procedure rounded4, rounded8, roundeds4, roundeds8
  end interface validity_rounded
  interface validity_largest
    module procedure largest4, largest8
  end interface validity_largest
  interface validity_smallest
    module procedure smallest4, smallest8
  end interface validity_smallest

contains

  ! Begins with the whole line.
  subroutine validity_begin()
    now = validity_interval()
    now%gmin = ieee_value(now%gmin, ieee_negative_inf)
    now%gmax = ieee_value(now%gmax, ieee_positive_inf)
  end subroutine validity_begin

  ! The interval since validity_begin.
  subroutine validity_end(interval)
    type(validity_interval), intent(out) :: interval
    interval = now
  end subroutine validity_end

  subroutine test8(t, td, at)
    real(real64), intent(in) :: t, td
    character(*), intent(in) :: at
    real(real64) :: beta

    now%tests = now%tests + 1
    if (.not. abs(td) > 0) return
    now%moving = now%moving + 1
    beta = -t/td
    ! Here already: no step to either side is safe.
    if (.not. abs(t) > 0) then
      call lower(0d0, at)
      call upper(0d0, at)
    else if (beta < 0) then
      call lower(beta, at)
    else if (beta >= 0) then
      call upper(beta, at)
    end if
  end subroutine test8

  subroutine lower(beta, at)
    real(real64), intent(in) :: beta
    character(*), intent(in) :: at
    if (beta > now%gmin) then
      now%gmin = beta
      now%at_min = at
    end if
  end subroutine lower

  subroutine upper(beta, at)
    real(real64), intent(in) :: beta
    character(*), intent(in) :: at
    if (beta < now%gmax) then
      now%gmax = beta
      now%at_max = at
    end if
  end subroutine upper

  subroutine test4(t, td, at)
    real(real32), intent(in) :: t, td
    character(*), intent(in) :: at
    call test8(real(t, real64), real(td, real64), at)
  end subroutine test4

  subroutine tests8(t, td, at)
    real(real64), intent(in) :: t(:), td(:)
    character(*), intent(in) :: at
    integer :: i
    do i = 1, size(t)
      call test8(t(i), td(i), at)
    end do
  end subroutine tests8

  subroutine tests4(t, td, at)
    real(real32), intent(in) :: t(:), td(:)
    character(*), intent(in) :: at
    call tests8(real(t, real64), real(td, real64), at)
  end subroutine tests4

  ! All elements have one derivative.
  subroutine tests8_alike(t, td, at)
    real(real64), intent(in) :: t(:), td
    character(*), intent(in) :: at
    integer :: i
    do i = 1, size(t)
      call test8(t(i), td, at)
    end do
  end subroutine tests8_alike

  subroutine tests4_alike(t, td, at)
    real(real32), intent(in) :: t(:), td
    character(*), intent(in) :: at
    call tests8_alike(real(t, real64), real(td, real64), at)
  end subroutine tests4_alike

  ! INT, AINT, MOD: integers but zero.
  subroutine truncated8(x, xd, at)
    real(real64), intent(in) :: x, xd
    character(*), intent(in) :: at
    real(real64) :: below, above
    below = aint(x)
    if (below > 0 .or. below < 0) then
      above = below + sign(1d0, x)
    else
      below = -1
      above = 1
    end if
    call test8(x - below, xd, at)
    call test8(x - above, xd, at)
  end subroutine truncated8

  ! NINT, ANINT: between integers.
  subroutine nearest8(x, xd, at)
    real(real64), intent(in) :: x, xd
    character(*), intent(in) :: at
    call test8(x - (anint(x) - 0.5d0), xd, at)
    call test8(x - (anint(x) + 0.5d0), xd, at)
  end subroutine nearest8

  ! FLOOR, CEILING, MODULO: integers.
  subroutine rounded8(x, xd, at)
    real(real64), intent(in) :: x, xd
    character(*), intent(in) :: at
    real(real64) :: below
    below = aint(x)
    if (below > x) below = below - 1
    call test8(x - below, xd, at)
    if (x > below) call test8(x - (below + 1), xd, at)
  end subroutine rounded8

  subroutine truncated4(x, xd, at)
    real(real32), intent(in) :: x, xd
    character(*), intent(in) :: at
    call truncated8(real(x, real64), real(xd, real64), at)
  end subroutine truncated4

  subroutine nearest4(x, xd, at)
    real(real32), intent(in) :: x, xd
    character(*), intent(in) :: at
    call nearest8(real(x, real64), real(xd, real64), at)
  end subroutine nearest4

  subroutine rounded4(x, xd, at)
    real(real32), intent(in) :: x, xd
    character(*), intent(in) :: at
    call rounded8(real(x, real64), real(xd, real64), at)
  end subroutine rounded4

  subroutine truncateds8(x, xd, at)
    real(real64), intent(in) :: x(:), xd(:)
    character(*), intent(in) :: at
    integer :: i
    do i = 1, size(x)
      call truncated8(x(i), xd(i), at)
    end do
  end subroutine truncateds8

  subroutine nearests8(x, xd, at)
    real(real64), intent(in) :: x(:), xd(:)
    character(*), intent(in) :: at
    integer :: i
    do i = 1, size(x)
      call nearest8(x(i), xd(i), at)
    end do
  end subroutine nearests8

  subroutine roundeds8(x, xd, at)
    real(real64), intent(in) :: x(:), xd(:)
    character(*), intent(in) :: at
    integer :: i
    do i = 1, size(x)
      call rounded8(x(i), xd(i), at)
    end do
  end subroutine roundeds8

  subroutine truncateds4(x, xd, at)
    real(real32), intent(in) :: x(:), xd(:)
    character(*), intent(in) :: at
    call truncateds8(real(x, real64), real(xd, real64), at)
  end subroutine truncateds4

  subroutine nearests4(x, xd, at)
    real(real32), intent(in) :: x(:), xd(:)
    character(*), intent(in) :: at
    call nearests8(real(x, real64), real(xd, real64), at)
  end subroutine nearests4

  subroutine roundeds4(x, xd, at)
    real(real32), intent(in) :: x(:), xd(:)
    character(*), intent(in) :: at
    call roundeds8(real(x, real64), real(xd, real64), at)
  end subroutine roundeds4

  ! MAXVAL, MAXLOC: where another element becomes the largest.
  subroutine largest8(x, xd, at)
    real(real64), intent(in) :: x(:), xd(:)
    character(*), intent(in) :: at
    integer :: i, best
    if (size(x) == 0) return
    best = maxloc(x, 1)
    do i = 1, size(x)
      if (i /= best) call test8(x(best) - x(i), xd(best) - xd(i), at)
    end do
  end subroutine largest8

  subroutine largest4(x, xd, at)
    real(real32), intent(in) :: x(:), xd(:)
    character(*), intent(in) :: at
    call largest8(real(x, real64), real(xd, real64), at)
  end subroutine largest4

  ! MINVAL, MINLOC.
  subroutine smallest8(x, xd, at)
    real(real64), intent(in) :: x(:), xd(:)
    character(*), intent(in) :: at
    call largest8(-x, -xd, at)
  end subroutine smallest8

  subroutine smallest4(x, xd, at)
    real(real32), intent(in) :: x(:), xd(:)
    character(*), intent(in) :: at
    call smallest8(real(x, real64), real(xd, real64), at)
  end subroutine smallest4
end module oxad_validity
