! call p x=[0.4,0.9] y=0.5
! along x=[1,-1]
! A passive value of a COMMON or saved variable is passed to what has derivatives at other calls: the derivative is zero
! there, whatever the last call has left in it.
module passive_values_of_blocks
  implicit none

contains

  subroutine step(v, u)
    real(8), intent(inout) :: v, u

    u = sin(u)
    v = v*2
  end subroutine step

  subroutine fill(v)
    real(8), intent(inout) :: v
    real(8) :: s, t(2)
    real(8), save :: k = 1
    common /kept/ s, t

    s = 0.7d0
    call step(v, s)
    t(2) = 0.6d0
    call step(v, t(2))
    k = 0.5d0
    call step(v, k)
  end subroutine fill

  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    real(8) :: u, v

    v = x(1)
    call fill(v)
    u = x(2)
    call step(v, u)
    y = v*u
  end subroutine p
end module passive_values_of_blocks
