! call all_ranks x=[1,2,3] y=[1,2,3,4] z=2
module select_rank
  implicit none
contains
  subroutine scale(v, z)
    real(8), intent(inout) :: v(..)
    real(8), intent(inout) :: z
    integer :: i
    select rank (v)
    rank (0)
      v = v*z
    rank (1)
      do i = 1, size(v)
        v(i) = v(i)**2*z
      end do
      z = z + sum(v)
    rank (2)
      v = v*z
      z = z*v(1, 2)
    rank default
      z = -z
    end select
  end subroutine scale

  subroutine all_ranks(x, y, z)
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y(2, 2)
    real(8), intent(inout) :: z
    call scale(x, z)
    call scale(y, z)
    call scale(x(2), z)
  end subroutine all_ranks
end module select_rank
