! call p x=[1,2,3,0.5] s=0.5
! call q x=[1,2,3,0.5] s=0.5
! A name of ASSOCIATE for a part of a dummy argument: who calls must still give the argument its value.
subroutine sub1(ax, bx)
  implicit none
  real(8), intent(inout) :: ax(3, 4), bx(4)
  associate (row => ax(1, 4:2:-1))
    row(2) = row(2)*bx(1)
  end associate
end subroutine sub1

subroutine sub2(ax, s)
  implicit none
  real(8), intent(inout) :: ax(:, :), s
  associate (row => ax(1, 1:3))
    s = s*row(1)
  end associate
  ax(1, 1) = ax(1, 1)*s
end subroutine sub2

subroutine p(x, s)
  implicit none
  real(8), intent(inout) :: x(4), s
  real(8) :: m34(3, 4)
  m34 = 0.5d0*s + 0.3d0
  call sub1(m34, x)
  x(1) = sum(m34)
end subroutine p

subroutine q(x, s)
  implicit none
  real(8), intent(inout) :: x(4), s
  real(8) :: m34(3, 4)
  interface
    subroutine sub2(ax, s)
      real(8), intent(inout) :: ax(:, :), s
    end subroutine sub2
  end interface
  m34 = 0.857d0*x(1)
  call sub2(m34(3:1:-2, 3:1:-1), s)
  call inner
  x = m34(1, :)*s
contains
  subroutine inner
    associate (part => x(2:3))
      part(1) = part(2)*s
    end associate
    s = s*x(2)
  end subroutine inner
end subroutine q
