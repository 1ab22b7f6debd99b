! call head x=[0.7,1.3] y=0.5
! A pointer without a target stands for an absent argument: there is nothing to record, nor to add to.
module null_pointers_for_absent
  implicit none
contains
  subroutine scaled(r, a)
    real(8), intent(inout) :: r
    real(8), intent(inout), optional :: a
    if (present(a)) then
      r = r*a
      a = a*r
    end if
  end subroutine
  subroutine mixed(r, a)
    real(8), intent(inout) :: r
    real(8), intent(inout), optional :: a(:)
    if (present(a)) then
      r = r*a(1)
      a(1) = r*a(2)
    end if
  end subroutine
  function read_only(a, b) result(r)
    real(8), intent(in), optional :: a(:), b(:)
    real(8) :: r
    r = 1
    if (present(a)) r = r*sum(a)
    if (present(b)) r = r*b(2)
  end function
  subroutine head(x, y)
    real(8), intent(inout), target :: x(2)
    real(8), intent(inout) :: y
    real(8), pointer :: p, q(:)
    nullify(p, q)
    call scaled(y, p)
    call mixed(y, q)
    y = y*read_only(q, q)
    p => x(1)
    q => x
    call scaled(y, p)
    call mixed(y, q)
    y = y*read_only(q, q)
    nullify(p, q)
    call scaled(y, p)
    call mixed(y, q)
  end subroutine
end module
