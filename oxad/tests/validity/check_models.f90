! Intervals of validity: the tables of Araya Polo's thesis, and one kink after the other.
program check_models
  use models_dv, only: f_dv, sub1_dv, piecewise_dv, kinks_dv
  use oxad_validity, only: validity_interval, validity_begin, validity_end
  implicit none
  real(8), parameter :: none = 1d300
  type(validity_interval) :: found
  integer :: failures = 0

  ! Table 3.6, direction (1, 4). The points were rounded where they were printed.
  call at_f(0.399999, -0.399999, 4., -3.57733, -none, 0.266666d0)
  call at_f(0.299999, -0.299999, 4., -3.83849, -none, 0.199999d0)
  call at_f(0.199999, -0.199999, 4., -3.95735, -none, 0.133333d0)
  call at_f(0.099999, -0.099999, 4., -3.99533, -none, 0.066666d0)
  call at_f(-0.000001, 0.000001, 4., 0.995140, -0.000002d0, none)
  call at_f(-0.100000, 0.100000, 4., 1.004333, -0.066666d0, none)
  call at_f(-0.200000, 0.200000, 4., 1.037307, -0.133333d0, none)
  call at_f(-0.300000, 0.300000, 4., 1.134554, -0.200000d0, none)
  ! Table 3.7, direction (1, -1).
  call at_f(0.399999, -0.399999, -1., 0.746525, -0.399999d0, none)
  call at_f(0.299999, -0.299999, -1., 0.901311, -0.299999d0, none)
  call at_f(0.199999, -0.199999, -1., 0.973350, -0.199999d0, none)
  call at_f(0.099999, -0.099999, -1., 0.997000, -0.099999d0, none)
  call at_f(-0.100000, 0.100000, -1., 0.997000, -none, 0.100000d0)
  call at_f(-0.200000, 0.200000, -1., 0.973350, -none, 0.200000d0)
  call at_f(-0.300000, 0.300000, -1., 0.901311, -none, 0.300000d0)
  ! Table A.1, direction (1, 1). The points are printed with two digits: all slopes are those of points 8.48e-5 above.
  call at_sub1(3.62, 1456628.2, -none, 0.026d0)
  call at_sub1(3.63, 1484149.2, -none, 0.016d0)
  call at_sub1(3.64, 1512117.1, -none, 0.005d0)
  call at_sub1(3.65, -38513.4, -0.004d0, none)
  call at_sub1(3.66, -39235.4, -0.014d0, none)
  call at_sub1(3.67, -39969.0, -0.023d0, none)
  call newton()
  call newton_within()
  call kinks()
  if (failures > 0) error stop 1
  print '(a)', 'good'

contains

  subroutine near(what, value, wanted, tolerance)
    character(*), intent(in) :: what
    real(8), intent(in) :: value, wanted, tolerance
    logical :: good
    if (abs(wanted) >= none) then
      good = value > huge(value) .eqv. wanted > 0
      good = good .and. abs(value) > huge(value)
    else
      good = abs(value - wanted) <= tolerance
    end if
    if (.not. good) then
      print '(2a, 2(1x, g0))', what, ':', value, wanted
      failures = failures + 1
    end if
  end subroutine near

  subroutine at_f(x1, x2, x2d, slope, gmin, gmax)
    real, intent(in) :: x1, x2, x2d, slope
    real(8), intent(in) :: gmin, gmax
    real :: y, yd
    call validity_begin()
    call f_dv(x1, 1., x2, x2d, y, yd)
    call validity_end(found)
    ! Near the origin there is nothing but the noise of single precision.
    if (abs(x1) > 1e-5) call near('slope of f', real(yd, 8), real(slope, 8), 2d-5)
    call near('gmin of f', found%gmin, gmin, 2d-6)
    call near('gmax of f', found%gmax, gmax, 2d-6)
    if (found%tests /= 1 .or. found%moving /= 1) error stop 'one test is seen'
    if (trim(found%at_min)//trim(found%at_max) /= 'models.f90:12') error stop 'the place is wrong'
  end subroutine at_f

  subroutine at_sub1(x, slope, gmin, gmax)
    real, intent(in) :: x, slope
    real(8), intent(in) :: gmin, gmax
    real :: a, ad, b, o, od
    a = x + 8.48e-5
    b = a
    ad = 1
    call validity_begin()
    call sub1_dv(a, ad, b, 1., o, od)
    call validity_end(found)
    call near('slope of sub1', od/real(slope, 8), 1d0, 2d-6)
    ! Three digits are printed, some of them rounded.
    call near('gmin of sub1', found%gmin, gmin, 1d-3)
    call near('gmax of sub1', found%gmax, gmax, 1d-3)
  end subroutine at_sub1

  ! Tables 3.10 and 3.11: Newton's method goes around among three points.
  subroutine newton()
    real(8), parameter :: points(0:10) = [2.50000d0, 1.27941d0, 0.81752d0, 1.90958d0, 1.03582d0, &
        0.75701d0, 1.95728d0, 1.05451d0, 0.76089d0, 1.95402d0, 1.05323d0]
    real(8), parameter :: bounds(0:10) = [-1.50000d0, -0.27941d0, 0.18248d0, -0.90958d0, &
        -0.03582d0, 0.24299d0, -0.95728d0, -0.05451d0, 0.23911d0, -0.95402d0, -0.05323d0]
    real(8), parameter :: slopes(0:10) = [20.75000d0, 4.46951d0, -9.72493d0, 11.75864d0, &
        2.29038d0, -10.25278d0, 12.40740d0, 2.44499d0, -10.21958d0, 12.36265d0, 2.43430d0]
    real :: x, y, yd
    integer :: i

    x = 2.5
    do i = 0, 10
      call validity_begin()
      call piecewise_dv(x, 1., y, yd)
      call validity_end(found)
      call near('point', real(x, 8), points(i), 1d-5)
      call near('slope', real(yd, 8), slopes(i), 1d-4)
      call near('gmin', found%gmin, merge(bounds(i), -none, bounds(i) < 0), 1d-5)
      call near('gmax', found%gmax, merge(bounds(i), none, bounds(i) > 0), 1d-5)
      x = x - yd/second(x)
    end do
  end subroutine newton

  ! A step that is cut to the interval ends where the branches meet, which is the minimum.
  subroutine newton_within()
    real :: x, y, yd, step
    integer :: i

    x = 2.5
    do i = 1, 20
      call validity_begin()
      call piecewise_dv(x, 1., y, yd)
      call validity_end(found)
      step = -yd/second(x)
      step = real(max(found%gmin, min(found%gmax, real(step, 8))))
      if (abs(step) < 1e-6) exit
      x = x + step
    end do
    call near('minimum', real(x, 8), 1d0, 1d-5)
    if (i > 5) error stop 'Newton does not leave the loop'
  end subroutine newton_within

  real function second(x)
    real, intent(in) :: x
    second = merge(6*x + 2, 6*x + 4, x > 1)
  end function second

  subroutine kinks()
    real(8) :: e(4)
    e = [1d0, 0d0, 0d0, 0d0]
    call at_kink(1, [0.3d0, 0d0, 0d0, 0d0], e, -0.3d0, none)
    call at_kink(2, [0.3d0, 0.2d0, 0.1d0, 0d0], e, -0.2d0, 0.1d0)
    call at_kink(3, [0.3d0, 0.7d0, 0d0, 0d0], e, -0.3d0, none)
    call at_kink(3, [0.3d0, 0.2d0, 0d0, 0d0], [1d0, 1d0, 0d0, 0d0], -0.2d0, none)
    call at_kink(4, [0.3d0, 0.7d0, 0d0, 0d0], e, -none, 0.4d0)
    call at_kink(5, [0.34d0, 0d0, 0d0, 0d0], e, -0.04d0, 0.06d0)
    call at_kink(5, [0.04d0, 0d0, 0d0, 0d0], e, -0.14d0, 0.06d0)
    call at_kink(5, [-0.34d0, 0d0, 0d0, 0d0], -e, -0.04d0, 0.06d0)
    call at_kink(6, [0.34d0, 0d0, 0d0, 0d0], e, -0.09d0, 0.01d0)
    call at_kink(7, [0.7d0, 0.2d0, 0d0, 0d0], e, -0.1d0, 0.1d0)
    call at_kink(8, [0.3d0, 0.7d0, 0.5d0, 0d0], e, -none, 0.4d0)
    call at_kink(8, [0.7d0, 0.6d0, 0.5d0, 0d0], e, -0.1d0, none)
    call at_kink(9, [0d0, 0d0, 0d0, 0.5d0], [0d0, 0d0, 0d0, 2d0], -0.25d0, none)
    call at_kink(10, [0.3d0, 0.2d0, 0d0, 1d0], [1d0, 2d0, 0d0, 0d0], -0.05d0, 0.025d0)
    call at_kink(11, [0.3d0, 0d0, 0d0, 0d0], e, -0.15d0, 0.05d0)
    call at_kink(12, [0.4d0, 0d0, 0d0, 0d0], e, -0.025d0, 0.35d0)
    call at_kink(13, [0.4d0, 0.7d0, 0d0, 0d0], [1d0, 1d0, 0d0, 0d0], -none, 0.05d0)
    ! At a kink no step is safe.
    call at_kink(1, [0d0, 0d0, 0d0, 0d0], e, 0d0, 0d0)
    ! What does not move limits nothing.
    call at_kink(1, [0.3d0, 0d0, 0d0, 0d0], [0d0, 1d0, 0d0, 0d0], -none, none)
  end subroutine kinks

  subroutine at_kink(which, x, xd, gmin, gmax)
    integer, intent(in) :: which
    real(8), intent(in) :: x(4), xd(4), gmin, gmax
    real(8) :: y, yd
    character(12) :: name
    call validity_begin()
    call kinks_dv(which, x, xd, y, yd)
    call validity_end(found)
    write (name, '(a, i0)') 'kink ', which
    call near(trim(name)//' gmin', found%gmin, gmin, 1d-13)
    call near(trim(name)//' gmax', found%gmax, gmax, 1d-13)
  end subroutine at_kink
end program check_models
