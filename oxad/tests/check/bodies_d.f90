module bodies_d
  use bodies
  implicit none
contains
  subroutine energy_d(b, bd, speeds, speedsd, total, totald)
    type(body), intent(in) :: b, bd
    real(8), intent(in) :: speeds(:, :), speedsd(:, :)
    real(8), intent(out) :: total, totald
    real(8) :: at(3)
    integer :: i

    totald = 2*dot_product(b%centre%at, bd%centre%at)*b%centre%mass &
        + dot_product(b%centre%at, b%centre%at)*bd%centre%mass
    total = dot_product(b%centre%at, b%centre%at)*b%centre%mass
    do i = 1, size(b%parts)
      at = b%parts(i)%at
      totald = totald + bd%parts(i)%mass*sum(speeds(:, i)**2) &
          + 2*b%parts(i)%mass*sum(speeds(:, i)*speedsd(:, i)) &
          + sum(bd%parts(i)%at*product(at)/at)
      total = total + b%parts(i)%mass*sum(speeds(:, i)**2) + product(at)
    end do
  end subroutine energy_d
end module bodies_d
