! call p x=[1.2,0.6] y=0.5
! A passive call overwrites what a pointer may point to, and associates the pointer with something else: values that are
! recorded through it are taken back through the association that it had.
module calls_associate_pointers_of_which_they_record_targets
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
    call move_it
  contains
    subroutine move_it
      u = 2
      q => top(1)
      q = y
    end subroutine move_it
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
end module calls_associate_pointers_of_which_they_record_targets
