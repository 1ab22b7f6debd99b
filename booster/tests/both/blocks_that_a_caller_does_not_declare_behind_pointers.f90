! call p x=[1.2,0.6] y=0.5
! A pointer may point to a variable of a module or to one of a block that the caller does not declare. A passive call
! overwrites the block: only the callee can record that.
module blocks_that_a_caller_does_not_declare_behind_pointers
  implicit none
  real(8), target, save :: top(2) = [2.0d0, 3.0d0]

contains

  subroutine fill(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    real(8), target :: t(2), u
    real(8), pointer :: q
    common /drawer/ t, u

    q => t(2)
    if (y > 1d3) q => top(1)
    q = 0.7d0
    y = y*q*x
  end subroutine fill

  subroutine clear(y)
    real(8), intent(in) :: y
    real(8), target :: t(2), u
    real(8), pointer :: q
    common /drawer/ t, u

    t(2) = 1
    u = 2
    q => top(1)
    if (y > 1d4) q => t(1)
    q = 4
  end subroutine clear

  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y

    !$oxad nocheckpoint
    call fill(x(1), y)
    call clear(y)
    !$oxad nocheckpoint
    call fill(x(2), y)
    call clear(y)
  end subroutine p
end module blocks_that_a_caller_does_not_declare_behind_pointers
