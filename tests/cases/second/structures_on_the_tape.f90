! Structures are recorded as wholes, with components that have derivatives and others.
module bodies
  implicit none
  type :: body
    integer :: name = 0
    real(8) :: place(2) = 0, speed(2) = 0, mass = 1
  end type body
contains
  subroutine move(all, dt, work)
    type(body), intent(inout) :: all(:)
    real(8), intent(in) :: dt
    real(8), intent(inout) :: work
    real(8) :: r2
    integer :: i, j
    do i = 1, size(all)
      do j = 1, size(all)
        if (all(j)%name == all(i)%name) cycle
        r2 = sum((all(i)%place - all(j)%place)**2) + 0.1d0
        all(i)%speed = all(i)%speed - dt*all(j)%mass*(all(i)%place - all(j)%place)/(r2*sqrt(r2))
        work = work + dt/r2
      end do
    end do
    do i = 1, size(all)
      all(i)%place = all(i)%place + dt*all(i)%speed
      all(i)%mass = all(i)%mass*0.9d0
    end do
  end subroutine move
end module bodies

subroutine p(x, y)
  use bodies
  implicit none
  real(8), intent(in) :: x(6)
  real(8), intent(out) :: y
  type(body) :: all(3), first
  integer :: i
  do i = 1, 3
    all(i) = body(name=i, place=x(2*i - 1:2*i), mass=0.5d0*i)
  end do
  y = 0
  do i = 1, 3
    first = all(i)
    call move(all, 0.1d0*x(i), y)
    all(i)%speed = all(i)%speed + 0.1d0*first%speed
    y = y + sum(all(i)%place**2)
  end do
end subroutine p
