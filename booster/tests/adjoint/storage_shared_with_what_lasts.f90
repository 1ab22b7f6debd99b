! call p x=[0.7,0.4,1.2] y=0.3
! Names without SAVE of their own, of storage that outlives the call.
subroutine by_save(v, begin)
  implicit none
  real(8), intent(inout) :: v
  logical, intent(in) :: begin
  real(8), save :: a(3)
  real(8) :: b
  equivalence (b, a(1))
  if (begin) then
    a = v
    return
  end if
  v = v*b + a(2)
  a(3) = v*a(1)
  b = b + a(3)
end subroutine by_save

subroutine by_data(v, begin)
  implicit none
  real(8), intent(inout) :: v
  logical, intent(in) :: begin
  real(8) :: s(2), one, other
  equivalence (s(1), one), (s(2), other)
  data s /1d0, 0d0/
  if (begin) then
    one = v
    other = 1
  else
    one = one + 0.1d0*other*v
    other = other - 0.1d0*one
    v = s(1)*s(2)
  end if
end subroutine by_data

subroutine p(x, y)
  implicit none
  real(8), intent(inout) :: x(3)
  real(8), intent(inout) :: y
  real(8) :: v
  integer :: i
  v = y
  call by_save(v, .true.)
  v = x(1)
  call by_data(v, .true.)
  do i = 2, 3
    v = x(i)
    call by_save(v, .false.)
    y = y + v
    call by_data(v, .false.)
    y = y*v
  end do
end subroutine p
