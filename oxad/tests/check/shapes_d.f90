subroutine shapes_d(a, ad, b, bd, c, cd, s, sd)
  implicit none
  real(8), intent(in) :: a(:, :), ad(:, :)
  real(8), intent(inout), allocatable :: b(:), bd(:)
  real(8), intent(in), optional :: c, cd
  real(8), intent(out) :: s(size(a, 1)), sd(size(a, 1))

  sd = matmul(ad, b) + matmul(a, bd)
  s = matmul(a, b)
  if (present(c)) then
    sd = sd*c + s*cd
    s = s*c
  end if
  deallocate (b, bd)
  allocate (b(2), bd(2))
  bd = sd(1)
  b = s(1)
end subroutine shapes_d
