! call apart x=[0.4,0.7] y=0
! Components of a type that holds pointers to its own type are one for the analysis: what they may mean is
! told apart by their interfaces.
module told_apart
  implicit none
  type :: method
    procedure(slope), pointer :: f => null()
    procedure(size_of), nopass, pointer :: norm => largest
    procedure(sizes_of), nopass, pointer :: all => null()
    type(method), pointer :: next => null()
  end type method
  abstract interface
    subroutine slope(me, x, r)
      import :: method
      class(method), intent(inout) :: me
      real(8), intent(in) :: x(:)
      real(8), intent(out) :: r(:)
    end subroutine slope
    function size_of(x) result(r)
      real(8), intent(in) :: x(:)
      real(8) :: r
    end function size_of
    function sizes_of(x) result(r)
      real(8), intent(in) :: x
      real(8) :: r
    end function sizes_of
  end interface
contains
  function largest(x) result(r)
    real(8), intent(in) :: x(:)
    real(8) :: r
    r = maxval(x)
  end function largest
  function euclidean(x) result(r)
    real(8), intent(in) :: x(:)
    real(8) :: r
    r = sqrt(sum(x**2))
  end function euclidean
  function twice(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    r = 2*x
  end function twice
  subroutine swing(me, x, r)
    class(method), intent(inout) :: me
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: r(:)
    r = x**2
    if (associated(me%next)) r = r + x
  end subroutine swing
  subroutine apart(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    type(method), target :: one, other
    real(8) :: r(2)
    one%next => other
    other%next => null()
    other%f => swing
    other%norm => euclidean
    other%all => twice
    one%f => swing
    call one%next%f(x, r)
    y = one%next%norm(r) + one%norm(x)
    y = y*one%next%all(x(1))
    call one%f(x, r)
    y = y + sum(r)
  end subroutine apart
end module told_apart
