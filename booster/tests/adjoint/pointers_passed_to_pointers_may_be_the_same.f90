! call p x=[0.7,0.4,1.2] y=0.3
module pm
  implicit none
  type node
    real(8) :: v
    type(node), pointer :: next => null()
  end type
contains
  subroutine mix(p, q, w, s)
    type(node), pointer, intent(in) :: p, q
    real(8), intent(in) :: w
    real(8), intent(inout) :: s
    q%v = p%v**2 + w*s
    s = s*p%v + q%v
    p%v = sin(q%v)*p%v
  end subroutine
  subroutine two(w, p, s)
    real(8), intent(in) :: w
    type(node), pointer, intent(in) :: p
    real(8), intent(inout) :: s
    s = s + w*p%v**2
  end subroutine
end module
subroutine p(x, y)
  use pm
  implicit none
  real(8), intent(inout) :: x(3)
  real(8), intent(inout) :: y
  type(node), target :: a, b
  type(node), pointer :: at
  real(8) :: t
  a%v = x(1)
  b%v = x(2)
  a%next => b
  at => a
  y = x(3)
  call mix(at, at%next, x(1), y)
  at => at%next
  call mix(at, at, x(2), y)
  t = at%v
  call two(at%v, at, y)
  y = y*a%v + t*b%v
end subroutine
