! What a procedure keeps for a report is allocated by assignment: the procedure can be executed once more all the same,
! so its calls stay joint. Where a later statement relies on an extent, a snapshot holds it.
module passive_reports
  implicit none
  type :: field
    integer, allocatable :: v(:)
  end type field
  type :: report
    logical :: wanted = .true.
    integer, allocatable :: steps(:)
    type(field), allocatable :: at(:)
  end type report
  type :: archive
    type(report) :: of(2)
  end type archive
  integer, allocatable :: seen(:)

contains

  subroutine advance(u, r, a, step)
    real(8), intent(inout) :: u(3)
    type(report), intent(inout) :: r
    type(archive), intent(inout) :: a
    integer, intent(in) :: step
    integer :: i, j

    do j = 1, 2
      do i = 1, 3
        u(i) = u(i) + 0.1d0*sin(u(i))*u(mod(i, 3) + 1)
      end do
      if (r%wanted) r%at(step)%v = nint(10*u)
      a%of(j)%steps = [step, j]
    end do
    seen = [step]
  end subroutine advance

  subroutine first(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(report) :: r
    type(archive) :: a
    real(8) :: u(3)
    integer :: k

    u = x
    allocate(r%at(4))
    do k = 1, 4
      call advance(u, r, a, k)
    end do
    y = sum(u**2)
  end subroutine first

  ! The extent of what is kept decides.
  subroutine grow(u, kept)
    real(8), intent(inout) :: u(3)
    type(report), intent(inout) :: kept
    integer :: n, i

    n = 0
    if (allocated(kept%steps)) n = size(kept%steps)
    do i = 0, n
      u = u + 0.1d0*cos(u)*x_of(i)
    end do
    if (n > 0) then
      kept%steps = [kept%steps, n]
    else
      kept%steps = [1]
    end if
  end subroutine grow

  pure real(8) function x_of(i)
    integer, intent(in) :: i

    x_of = 1d0/(1 + i)
  end function x_of

  subroutine second(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(report) :: kept
    real(8) :: u(3)
    integer :: k

    u = x
    do k = 1, 3
      call grow(u, kept)
      u = u*size(kept%steps)
    end do
    y = sum(u**2)
  end subroutine second

  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: a, b

    call first(x, a)
    call second(x, b)
    y = a*b
  end subroutine p
end module passive_reports
