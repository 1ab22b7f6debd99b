! Module pointers that another source associates; `mirror` shares memory with `w`, and this source says so.
module block
  implicit none
  integer :: n
  real(8), pointer, dimension(:, :) :: w, dw
  real(8), pointer, dimension(:) :: p, gas
  real(8), pointer :: mirror(:)
end module block

module kernels
  implicit none

contains

  subroutine pressure
    use block
    integer :: i

    do i = 1, n
      p(i) = gas(i)*(w(i, 2) - 0.5d0*w(i, 1)**2)
      p(i) = max(p(i), 1d-4)
    end do
  end subroutine pressure

  subroutine flux
    use block
    integer :: i
    real(8) :: f

    do i = 1, n - 1
      f = sqrt(p(i)*p(i + 1))*w(i + 1, 1)
      dw(i, 1) = dw(i, 1) + f
      dw(i + 1, 1) = dw(i + 1, 1) - f
    end do
  end subroutine flux

  subroutine residual
    use block

    call pressure
    dw = 0
    call flux
    dw(:, 2) = dw(:, 1)*w(:, 2)
  end subroutine residual

  ! What the source itself associates shares memory whatever is promised.
  subroutine scaled
    use block

    mirror => w(:, 1)
    dw(:, 1) = mirror*w(:, 2)
    mirror = mirror*w(:, 2)
    dw(:, 2) = w(:, 1)**2
  end subroutine scaled
end module kernels
