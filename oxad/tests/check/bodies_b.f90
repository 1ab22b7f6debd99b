module bodies_b
  use bodies
  implicit none
contains
  subroutine energy_b(b, bb, speeds, speedsb, total, totalb)
    type(body), intent(in) :: b
    type(body), intent(inout) :: bb
    real(8), intent(in) :: speeds(:, :)
    real(8), intent(inout) :: speedsb(:, :)
    real(8), intent(in) :: total
    real(8), intent(inout) :: totalb
    real(8) :: at(3)
    integer :: i

    do i = size(b%parts), 1, -1
      at = b%parts(i)%at
      bb%parts(i)%mass = bb%parts(i)%mass + sum(speeds(:, i)**2)*totalb
      speedsb(:, i) = speedsb(:, i) + 2*b%parts(i)%mass*speeds(:, i)*totalb
      bb%parts(i)%at = bb%parts(i)%at + product(at)/at*totalb
    end do
    bb%centre%at = bb%centre%at + 2*b%centre%at*b%centre%mass*totalb
    bb%centre%mass = bb%centre%mass + dot_product(b%centre%at, b%centre%at)*totalb
    totalb = 0
  end subroutine energy_b
end module bodies_b
