! A rod that conducts heat: its state, and its material.
module rod_state
  implicit none
  private
  integer, parameter, public :: wp = kind(1.0d0)

  type, public :: rod
    integer :: n = 0
    real(wp) :: length = 1.0_wp
    real(wp), allocatable :: t(:)      ! temperature at the nodes
    real(wp), allocatable :: k(:)      ! conductivity between them
  end type rod

  public :: make_rod, heat_content

contains

  ! A cold rod of n nodes whose right half conducts better.
  subroutine make_rod(r, n, contrast)
    type(rod), intent(out) :: r
    integer, intent(in) :: n
    real(wp), intent(in) :: contrast
    integer :: i

    r%n = n
    allocate(r%t(n), r%k(n - 1))
    r%t = 0.0_wp
    do i = 1, n - 1
      if (2*i < n) then
        r%k(i) = 1.0_wp
      else
        r%k(i) = contrast
      end if
    end do
  end subroutine make_rod

  pure function heat_content(r) result(h)
    type(rod), intent(in) :: r
    real(wp) :: h

    h = r%length*sum(0.5_wp*(r%t(1:r%n - 1) + r%t(2:r%n)))/real(r%n - 1, wp)
  end function heat_content

end module rod_state
