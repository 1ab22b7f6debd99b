! call p x=[0.4,0.9,1.2] y=0.5
! call joined x=[0.4,0.9,1.2] y=0.5
! A procedure assigns a constant to a lasting variable and passes it to a procedure that has a derivative of it from another
! call. The result of the call is not asked for, and the derivative has a value all the same.
module constants_in_common
  implicit none
  real(8) :: shared = 2d0
contains
  subroutine step(u, v)
    real(8), intent(inout) :: u, v

    u = sin(u*v)
    v = v*2
  end subroutine step

  subroutine in_block(v)
    real(8), intent(inout) :: v
    real(8) :: s
    common /block/ s

    s = 0.7d0
    call step(s, v)
  end subroutine in_block

  subroutine saved(k, v)
    integer, intent(in) :: k
    real(8), intent(inout) :: v
    real(8), save :: s

    if (k > 1) then
      s = 0.7d0
    else
      s = 0.5d0*k
    end if
    call step(s, v)
  end subroutine saved

  subroutine of_module(v)
    real(8), intent(inout) :: v

    shared = 0.5d0
    call step(shared, v)
  end subroutine of_module

  subroutine is_needed(v)
    real(8), intent(inout) :: v
    real(8) :: s
    common /other/ s

    s = 0.3d0
    call step(s, v)
    v = v*s
  end subroutine is_needed

  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: a, b
    integer :: k

    a = x(1)
    b = x(2)
    call step(a, b)
    y = a*b
    a = x(3)
    do k = 1, 2
      call in_block(a)
      y = y*a
      call saved(k, a)
      y = y*a
      call of_module(a)
      y = y*a
      call is_needed(a)
      y = y*a
    end do
  end subroutine p

  subroutine remember(s, y)
    real(8), intent(in) :: s
    real(8), intent(out) :: y
    real(8), save :: last = 1d0

    y = s*last
    last = 0.5d0*y + 0.5d0*last
  end subroutine remember

  subroutine joined(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: s, t
    common /third/ s, t

    s = x(1)*x(2)
    t = s*x(3)
    s = s*t
    call step(s, t)
    s = s*t*x(2)
    t = s*s
    call step(s, t)
    y = s*t
    shared = y*x(1)
    y = shared*y
    call step(shared, y)
    y = y*shared
    call remember(y*x(1), t)
    y = y + t
    call remember(y*x(2), t)
    y = y*t
  end subroutine joined
end module constants_in_common
