! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! ASSOCIATE names a passive component of what has a derivative, and assigns something active to it.
module named_passive
  implicit none
  type :: t
    real(8) :: v = 0.7d0, g(3) = 0.2d0
  end type
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(t) :: d
    d%v = x(1)
    associate (q => d%g(2))
      q = sin(x(2))*q
    end associate
    y(1) = d%v
    y(2) = d%v*x(4)
  end subroutine
end module
