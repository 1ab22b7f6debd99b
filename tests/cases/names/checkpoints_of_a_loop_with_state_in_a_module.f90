! The state of a loop with checkpoints stands in a module, in locals of every kind and in an argument.
module state
  real(8) :: field(3)
  real(8), allocatable :: work(:)
end module
module m
  use state
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: t(3), held(0:9)
    integer :: i, count
    allocate(work(3))
    work = x
    field = x
    t = 0
    held = 0
    held(0) = x(1)
    count = 0
    !$oxad binomial(3)
    do i = 1, 9
      t = sin(field)*work
      work = work + 0.1d0*t*count
      if (work(1) > 0.5d0) count = count + 1
      held(i) = held(i-1)*0.9d0 + t(2)*held(9 - i)
      field = field + 0.1d0*t*x
    end do
    y = sum(held**2) + sum(field*work) + t(3)
    deallocate(work)
  end subroutine
end module
