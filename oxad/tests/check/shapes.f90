! External, but with arguments that need an explicit interface.
function shapes(a, b, c) result(s)
  implicit none
  real(8), intent(in) :: a(:, :)
  real(8), intent(inout), allocatable :: b(:)
  real(8), intent(in), optional :: c
  real(8) :: s(size(a, 1))

  s = matmul(a, b)
  if (present(c)) s = s*c
  deallocate (b)
  allocate (b(2))
  b = s(1)
end function shapes
