! call local_variables n=3 x=[1,2,3] y=[0.5,1.5,2.5]
! not compiled: locality is younger than some compilers
module concurrent_locality
  implicit none
contains
  ! Variables of a round are others than those outside.
  subroutine local_variables(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(inout) :: y(:)
    real(8) :: t, s, u(2), w(n)
    integer :: i
    t = x(1)
    s = x(2)
    u = x(3)
    w = x
    do concurrent (i = 1:n) local(t, u) local_init(s, w) shared(x, y) default(none)
      t = x(i)**2
      u(1) = t*s
      u(2) = sin(u(1))
      s = s*u(2)
      w(i) = w(i)*s
      x(i) = s + t + sum(w)
      y(i) = y(i)*u(2)
    end do
    y(1) = y(1) + t*s*u(1)*w(2)
  end subroutine local_variables
end module concurrent_locality
