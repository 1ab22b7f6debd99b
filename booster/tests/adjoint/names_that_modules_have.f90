! call follow a=[0.5,1.5,0.75] last=0.25
! What is recorded keeps its name: a variable made for the adjoint does not take it.
module followed
  implicit none
  real(8) :: last = 1
  integer :: calls = 0
contains
  subroutine update(a)
    real(8), intent(inout) :: a
    a = a*2 + last
    last = sin(a)
    calls = calls + 1
  end subroutine update
  subroutine follow(a)
    real(8), intent(inout) :: a(:)
    integer :: i
    calls = 0
    do i = 1, size(a)
      call update(a(i))
      if (calls > 1) return
    end do
  end subroutine follow
end module followed
