! call p x=[0.7,0.4,1.2] y=0.3
module law_mod
  implicit none
  type :: law
    real(8) :: stiff = 1.5d0
  contains
    procedure :: stress
    procedure :: relax
  end type law
  type, extends(law) :: stiffening
  contains
    procedure :: stress => stiffening_stress
  end type stiffening
contains
  elemental function stress(self, strain) result(s)
    class(law), intent(in) :: self
    real(8), intent(in) :: strain
    real(8) :: s
    s = self%stiff*strain**2
  end function stress

  elemental function stiffening_stress(self, strain) result(s)
    class(stiffening), intent(in) :: self
    real(8), intent(in) :: strain
    real(8) :: s
    s = self%stiff*sin(strain)
  end function stiffening_stress

  elemental subroutine relax(self, rate, s)
    class(law), intent(inout) :: self
    real(8), intent(in) :: rate
    real(8), intent(inout) :: s
    self%stiff = self%stiff*(1 - rate)
    s = s*rate**2
  end subroutine relax

  ! Which stress it is, the object tells.
  subroutine apply(l, strain, s)
    class(law), intent(in) :: l
    real(8), intent(in) :: strain(:)
    real(8), intent(out) :: s(:)
    s = l%stress(strain)
  end subroutine apply
end module law_mod

subroutine p(x, y)
  use law_mod
  implicit none
  real(8), intent(inout) :: x(3)
  real(8), intent(inout) :: y
  type(law) :: one, all(3)
  type(stiffening) :: other
  real(8) :: s(3), t(3)
  one%stiff = x(1)*y
  ! One object for all elements.
  s = one%stress(x)
  ! An object for each.
  all%stiff = x
  t = all%stress(s)
  call all%relax(x, t)
  other%stiff = y
  call apply(other, t, s)
  y = sum(s) + sum(all%stress(x(3)))
end subroutine p
