! Names that share storage with what is saved or has initial values, and bounds from SOURCE=.
program lasts
  implicit none
  type :: table
    real(8) :: v(0:3)
  end type table
  type(table) :: t
  real(8), allocatable :: a(:), b(:)
  real(8) :: v
  integer :: i
  v = 2d0
  do i = 0, 3
    call osc(v, i)
    print *, v
    call held(v, i == 0)
    print *, v
  end do
  t%v = [1d0, 2d0, 3d0, 4d0]
  allocate(a, source=t%v)
  b = t%v
  print *, lbound(a), ubound(a), lbound(b), a(0), b(3)
contains
  ! The first call names the parts alone.
  subroutine osc(v, mode)
    real(8), intent(inout) :: v
    integer, intent(in) :: mode
    real(8) :: s(3), p, q
    equivalence (s(1), p), (s(2), q)
    data s /1d0, 0d0, 0.5d0/
    if (mode == 0) then
      p = v
      q = 1
    else
      p = p + 0.5d0*q*v
      q = q - 0.25d0*p
      v = s(1)*s(2) + s(3)
    end if
  end subroutine osc

  subroutine held(v, first)
    real(8), intent(inout) :: v
    logical, intent(in) :: first
    real(8), save :: a(3)
    real(8) :: b
    equivalence (b, a(1))
    if (first) then
      a = v
    else
      v = v*b + a(2)
      b = b/2 + a(3)
    end if
  end subroutine held
end program lasts
