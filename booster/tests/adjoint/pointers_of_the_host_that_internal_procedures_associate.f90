! call list n=3 x=[1,2,0.5] y=0.7
! Their association is recorded before they have any: so they begin with none.
subroutine list(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), target, intent(in) :: x(n)
  real(8), intent(inout) :: y
  type :: view
    real(8), pointer :: v(:)
  end type view
  type(view) :: b
  real(8), pointer :: q(:)
  call within
  y = y*sum(b%v)*q(1)
contains
  subroutine within
    b%v => x(2:3)
    q => x(1:2)
    y = y*sum(q)
  end subroutine within
end subroutine list
