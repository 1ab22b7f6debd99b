! `advance` keeps what nothing reads, `remember` what the caller has no name for, `load` reads a file.
module reports
  implicit none
  type :: field
    real(8), allocatable :: v(:)
  end type field
  type :: report
    logical :: wanted = .false.
    type(field), allocatable :: at(:)
  end type report

contains

  subroutine advance(n, first, last, u, r)
    integer, intent(in) :: n, first, last
    real(8), intent(inout) :: u(n)
    type(report), intent(inout) :: r
    integer :: t, i

    do t = first, last
      do i = 1, n
        u(i) = u(i) + 0.01d0*sin(u(i))*u(mod(i, n) + 1)
      end do
      if (r%wanted) r%at(t)%v = u
    end do
  end subroutine advance

  subroutine run(n, nt, x, r, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    type(report), intent(inout) :: r
    real(8), intent(out) :: y
    real(8) :: u(n)
    integer :: i

    u = x
    do i = 1, nt
      call advance(n, 8*i - 7, 8*i, u, r)
    end do
    y = sum(u**2)
  end subroutine run

  subroutine remember(u)
    real(8), intent(inout) :: u
    integer, save :: calls = 0

    calls = calls + 1
    u = sin(u)*sin(u*calls)
  end subroutine remember

  subroutine load(u, unit)
    real(8), intent(inout) :: u
    integer, intent(in) :: unit
    real(8) :: f

    read (unit, *) f
    u = u*sin(f*u)
  end subroutine load

  subroutine drive(nt, unit, x, y)
    integer, intent(in) :: nt, unit
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer :: i

    y = x
    do i = 1, nt
      call remember(y)
      call load(y, unit)
    end do
  end subroutine drive
end module reports
