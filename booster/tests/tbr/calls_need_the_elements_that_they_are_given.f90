! A call in a loop is given a column each time: what it leaves there is not overwritten by the calls behind it.
module columns
  real(8) :: shared(3, 4)
contains
  subroutine squared(b)
    real(8), intent(inout) :: b(3)
    integer :: i
    do i = 2, 3
      b(i) = b(i) + b(i-1)*b(i-1)
    end do
    b = b*b
  end subroutine squared

  subroutine raised(v)
    real(8), intent(inout) :: v
    v = v*v
  end subroutine raised

  ! Reads the next element as well.
  subroutine from_here(b)
    real(8), intent(inout) :: b(*)
    b(1) = b(1)*b(2)
  end subroutine from_here

  subroutine directly(b, k)
    real(8), intent(inout) :: b(3)
    integer, intent(in) :: k
    b = b*shared(2, k)
  end subroutine directly

  subroutine head(x, y)
    real(8), intent(inout) :: x(4)
    real(8), intent(out) :: y
    real(8) :: m(3, 4), w(5)
    integer :: k
    m = spread(x, 1, 3)
    do k = 1, 4
      call squared(m(:, k))
    end do
    do k = 1, 4
      call raised(m(2, k))
      m(1, k) = m(2, k)*m(1, k)
    end do
    w(1:4) = x
    w(5) = 2
    do k = 1, 4
      call from_here(w(k))
    end do
    shared = m
    do k = 1, 4
      call directly(shared(:, k), 5 - k)
    end do
    y = sum(m)*sum(w) + sum(shared)
  end subroutine head
end module columns
