! call several n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! An allocatable dummy argument that is not given has no adjoint that could get a shape.
module filters
  implicit none
contains
  subroutine step(u, out, work)
    real(8), intent(inout) :: u(:)
    real(8), allocatable, intent(out), optional :: out(:)
    real(8), allocatable, intent(inout), optional :: work(:)
    u = u*u(size(u):1:-1)
    if (present(work)) then
      if (allocated(work)) u(1) = u(1) + sum(work)
      work = u(:2)**2
    end if
    if (present(out)) then
      allocate(out(0:size(u)), source=[sum(u), u])
      out(0) = out(0)*u(1)
    end if
  end subroutine
end module

subroutine several(n, x, y)
  use filters
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: u(n)
  real(8), allocatable :: o(:), w(:)
  u = x*y
  call step(u)
  call step(u, out=o)
  y = y + sum(o)
  call step(u(1:3), work=w)
  call step(u, o, w)
  call step(o)
  y = y*sum(o) + sum(w) + u(2)
end subroutine
