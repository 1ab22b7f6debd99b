! call direct x=[1,2,3,4] y=1
! call through_two x=[1,2,3,4] y=1
! call perhaps x=[1,2,3,4] y=1
! An internal procedure changes variables of its host. Who passes it on has no name for them, so its call
! cannot be taken back by a snapshot: it is split.
module hooks_passed_on
  implicit none
  abstract interface
    real(8) function hook_of(s, k)
      real(8), intent(in) :: s
      integer, intent(in) :: k
    end function hook_of
  end interface
contains
  subroutine apply(v, hook)
    real(8), intent(inout) :: v(:)
    procedure(hook_of) :: hook
    integer :: i
    do i = 1, size(v)
      v(i) = v(i)*(1 + hook(v(i), i))
    end do
  end subroutine apply

  subroutine pass_on(v, hook)
    real(8), intent(inout) :: v(:)
    procedure(hook_of) :: hook
    call apply(v, hook)
    v(1) = v(1)*v(2)
  end subroutine pass_on

  subroutine pass_on_again(v, hook)
    real(8), intent(inout) :: v(:)
    procedure(hook_of), optional :: hook
    if (present(hook)) call pass_on(v, hook=hook)
    v(3) = v(3)*v(2)
  end subroutine pass_on_again

  subroutine direct(x, y)
    real(8), intent(inout) :: x(4), y
    real(8) :: leak
    leak = x(2)/8
    call apply(x, leaky)
    y = y*leak
  contains
    real(8) function leaky(s, k)
      real(8), intent(in) :: s
      integer, intent(in) :: k
      leaky = 0.1d0*s*leak/k
      leak = leak*cos(leaky)
    end function leaky
  end subroutine direct

  subroutine through_two(x, y)
    real(8), intent(inout) :: x(4), y
    real(8) :: leak
    integer :: i
    leak = x(2)/8
    do i = 1, 2
      call pass_on(x, leaky)
      leak = leak*sin(x(1))
    end do
    y = y*leak
  contains
    real(8) function leaky(s, k)
      real(8), intent(in) :: s
      integer, intent(in) :: k
      leaky = 0.1d0*s*leak/k
      leak = leak*cos(leaky)
    end function leaky
  end subroutine through_two

  subroutine perhaps(x, y)
    real(8), intent(inout) :: x(4), y
    real(8) :: leak
    integer :: i
    leak = x(3)/8
    do i = 1, 2
      call pass_on_again(x, leaky)
      call pass_on_again(x)
      leak = leak*sin(x(1))
    end do
    y = y*leak
  contains
    real(8) function leaky(s, k)
      real(8), intent(in) :: s
      integer, intent(in) :: k
      leaky = 0.1d0*s*leak/k
      leak = leak*cos(leaky)
    end function leaky
  end subroutine perhaps
end module hooks_passed_on
