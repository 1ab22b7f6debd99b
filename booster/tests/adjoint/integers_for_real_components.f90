! call p x=[0.5,1.5] y=0
! A structure constructor converts what it is given: the derivative of a real component that an integer is
! given for is zero, not the integer.
module species_of
  implicit none
  type species
    real(8) :: mw = 1, conc = 0
    integer :: number = 3
  end type species
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    type(species) :: s, all(3)
    integer :: i
    i = 7
    s = species(10, x(2)**2)
    y = s%conc/s%mw + x(1)*s%mw
    s = species(conc=x(1), mw=i, number=2)
    y = y + s%conc*s%mw*s%number
    all = [species(2, x(1)), species(i, x(2), 5), species(mw=x(1), conc=4)]
    y = y + sum(all%mw*all%conc*all%number)
  end subroutine p
end module species_of
