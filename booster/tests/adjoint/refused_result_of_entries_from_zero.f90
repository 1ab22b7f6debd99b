! Entries share a result, and a derivative hands on the bounds that it has.
module functions
contains
  function first(x) result(r)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: r(:), s(:)
    entry second(x) result(s)
    allocate(r(0:size(x)-1))
    r = x**2
  end function first
  subroutine head(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    y = sum(first(x))
  end subroutine head
end module functions
