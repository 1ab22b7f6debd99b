! Arguments with names that the driver of `oxad check` has itself.
subroutine p(mode, start, value)
  implicit none
  integer, intent(in) :: mode
  real(8), intent(in) :: start(:)
  real(8), intent(out) :: value
  value = sum(start**2)
  if (mode == 2) value = value**2
end subroutine p
