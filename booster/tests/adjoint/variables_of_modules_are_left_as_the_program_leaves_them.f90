! call counted x=[1.5,0.5] y=0
! call listed x=[1.5,0.5,-0.75] y=0
! call once_allocated x=[1.5,0.5] y=0
! call scaled x=[1.5,0.5] y=0
! call released x=[1.5,0.5] y=0
! call looped x=[1.5,0.5] y=0
! What a head reads of its last call is, behind its adjoint, what the program leaves there, and adjoints of
! the last call are forgotten: the second call of the adjoint is that of the second call of the program.
module left_behind
  implicit none
  type pair
    real(8) :: a(2) = [1d0, 2d0]
    integer :: calls = 0
  end type pair
  type work
    real(8), allocatable :: w(:)
    logical :: ready = .false.
  end type work
  integer, save :: n = 0, i = 0
  real(8), save :: list(10) = 0d0
  logical, save :: first = .true.
  real(8), allocatable, save :: table(:)
  type(pair), save :: d(2)
  type(work), save :: s
contains
  subroutine counted(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    n = n + 1
    y = x(1)**2*n + x(2)
    n = 0
  end subroutine counted

  subroutine add(v)
    real(8), intent(in) :: v
    n = n + 1
    list(n) = v
  end subroutine add

  subroutine listed(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer :: i
    do i = 1, 3
      call add(x(i)**2)
    end do
    y = 0d0
    do i = 1, n
      y = y + list(i)*list(n + 1 - i)
    end do
    n = n - 2
  end subroutine listed

  subroutine once_allocated(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    if (first) then
      allocate(table(0:1))
      table = 1d0
      first = .false.
    end if
    table(0) = table(0)*x(1)
    table(1) = table(1) + x(2)
    y = table(0)*table(1)*x(1)
    table(1) = 0.5d0
  end subroutine once_allocated

  subroutine scaled(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    integer :: i
    do i = 1, 3
      d(1)%a = d(1)%a*x
      d(2)%a(1) = d(2)%a(1) + d(1)%a(2)*d(2)%a(1)
    end do
    d(2)%calls = d(2)%calls + 1
    y = sum(d(1)%a)*d(2)%a(1)*d(2)%calls
    d(1)%a = [1d0, 2d0]
    d(2)%a(1) = 0.5d0
  end subroutine scaled

  subroutine set_up(k)
    integer, intent(in) :: k
    if (s%ready) return
    allocate(s%w(k))
    s%ready = .true.
  end subroutine set_up

  subroutine released(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    call set_up(2)
    s%w = x**2
    y = s%w(1)*s%w(2)
    if (s%ready) y = y*x(1)
    deallocate(s%w)
    s%ready = .false.
  end subroutine released

  subroutine looped(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    y = x(1)
    if (i > 2) y = y*x(2)
    do i = 1, 2
      y = y*x(i)
    end do
  end subroutine looped
end module left_behind
