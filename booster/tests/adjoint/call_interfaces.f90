! call top x=[0.5,1.5,2] y=0
subroutine top(x, y)
  implicit none
  real(8), intent(inout) :: x(3)
  real(8), intent(out) :: y
  interface
    subroutine shaped(v, s)
      real(8), intent(inout) :: v(:)
      real(8), intent(out), optional :: s
    end subroutine shaped
    function norm(v) result(r)
      real(8), intent(in) :: v(:)
      real(8) :: r
    end function norm
  end interface
  !$oxad nocheckpoint
  call shaped(x(1:2), y)
  !$oxad nocheckpoint
  call shaped(x(2:3))
  !$oxad nocheckpoint
  y = y*norm(x)
end subroutine top
subroutine shaped(v, s)
  implicit none
  real(8), intent(inout) :: v(:)
  real(8), intent(out), optional :: s
  real(8) :: w(size(v))
  w = v*v
  v = v*w(1)
  if (present(s)) s = sum(w)
end subroutine shaped
function norm(v) result(r)
  implicit none
  real(8), intent(in) :: v(:)
  real(8) :: r
  r = sqrt(sum(v*v))
end function norm
