! call head a=0.7 q=1.3 y=[0.5,1.1]
! What is overwritten is a copy: the adjoint of the argument is added to, whatever it was before.
module overwritten_values
  implicit none
  type pair
    real(8) :: l, r
  end type pair
contains
  subroutine head(a, q, y)
    real(8), value :: a, q
    real(8), intent(inout) :: y(2)
    real(8) :: w(int(q) + 1)
    type(pair) :: both
    w = a
    a = a*y(1)
    both = pair(a, q)
    call inside
    y(1) = y(1)*a + sum(w)
    call copied(both, y(2))
    call pointed_to(y(1), y(2))
    y(2) = y(2)*both%l
  contains
    subroutine inside
      q = q*q + a
      y(2) = y(2)*q
    end subroutine inside
  end subroutine head
  subroutine copied(b, s)
    type(pair), value :: b
    real(8), intent(inout) :: s
    b%l = b%l*b%r
    s = s*b%l
  end subroutine copied
  subroutine pointed_to(v, s)
    real(8), value, target :: v
    real(8), intent(inout) :: s
    real(8), pointer :: p
    p => v
    p = p*s
    s = s*p
  end subroutine pointed_to
end module overwritten_values
