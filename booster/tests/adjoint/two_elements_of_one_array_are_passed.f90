! call p x=[0.7,0.4,1.2,0.9] y=0.3
module soil_mod
  implicit none
  type :: soil
    real(8) :: th(2)
  end type soil
contains
  ! Reads `above`, which is another layer, and overwrites the layer.
  subroutine drain(layer, above)
    type(soil), intent(inout) :: layer
    real(8), intent(in) :: above
    layer%th(1) = layer%th(1)*above
    layer%th(2) = layer%th(2)*layer%th(1)
  end subroutine drain

  subroutine mix(s, other)
    real(8), intent(inout) :: s
    real(8), intent(in) :: other
    s = s*other
    s = s*sin(s)
  end subroutine mix
end module soil_mod

subroutine p(x, y)
  use soil_mod
  implicit none
  real(8), intent(inout) :: x(4)
  real(8), intent(inout) :: y
  type(soil) :: s(3)
  real(8) :: a(4)
  integer :: i
  a = x
  do i = 2, 4
    call mix(a(i), a(i-1))
  end do
  do i = 1, 3
    s(i)%th = a(1:2)*i
  end do
  ! What the call has read is overwritten behind it.
  a(1) = a(4)
  do i = 2, 3
    call drain(s(i), s(i-1)%th(2))
  end do
  s(1) = s(3)
  x(1) = a(1)
  y = y + sum(s%th(2)) + sum(a)
end subroutine p
