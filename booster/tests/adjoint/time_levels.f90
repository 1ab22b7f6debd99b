! call heat n=6 nt=3 u0=[1.0,2.0,3.0,4.0,5.0,6.0] c=0.0
! call heat n=2 nt=3 u0=[1.0,2.0] c=0.0
! call heat n=6 nt=0 u0=[1.0,2.0,3.0,4.0,5.0,6.0] c=0.0
! call waves n=4 m=3 nt=2 u0=[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0] c=0.0
! call rim n=5 nt=2 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call partly n=5 nt=2 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call seldom n=5 nt=3 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call later n=5 nt=2 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call sections n=5 nt=3 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call both n=5 nt=3 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call early n=5 nt=3 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call pointed n=5 nt=3 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call shared n=5 nt=3 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call turned n=5 nt=3 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call diagonal n=5 nt=3 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call apart n=5 nt=3 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call leap n=5 nt=3 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call grows n=5 nt=3 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call calls n=5 nt=3 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call within n=5 nt=3 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call early n=5 nt=9 u0=[1.0,2.0,3.0,4.0,5.0] c=0.0
! call sections n=1 nt=2 u0=[1.0] c=0.0
! Linear: what is recorded is nothing, the levels change places.
subroutine heat(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), un(n)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
    un(i) = 0
  end do
  do it = 1, nt
    do i = 2, n - 1
      un(i) = u(i) + 0.25d0*(u(i-1) - 2*u(i) + u(i+1))
    end do
    do i = 2, n - 1
      u(i) = un(i)
    end do
  end do
  do i = 1, n
    c = c + u(i)*u(i)
  end do
end subroutine heat

! Two at once, of two dimensions with bounds, recorded; a level is read behind the copy.
subroutine waves(n, m, nt, u0, c)
  implicit none
  integer, intent(in) :: n, m, nt
  real(8), intent(in) :: u0(n, m)
  real(8), intent(inout) :: c
  real(8), dimension(0:n-1, m) :: u, v, un, vn
  integer :: i, j, it
  do j = 1, m
    do i = 0, n - 1
      u(i, j) = u0(i+1, j)/10
      v(i, j) = 1
    end do
  end do
  do it = 1, nt
    do j = 2, m
      do i = 1, n - 1
        un(i, j) = u(i, j)*v(i-1, j) + u(i, j-1)
        vn(i, j) = v(i, j) - u(i-1, j)*u(i, j-1)
      end do
    end do
    do j = 2, m
      do i = 1, n - 1
        u(i, j) = un(i, j)
        v(i, j) = vn(i, j)
      end do
    end do
    c = c + u(1, 2)*v(1, 2)
  end do
  do j = 1, m
    do i = 0, n - 1
      c = c + u(i, j)*v(i, j)
    end do
  end do
end subroutine waves

! The rim of the level changes in the loop: nothing changes places.
subroutine rim(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), un(n)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  do it = 1, nt
    do i = 2, n - 1
      un(i) = u(i-1) + 2*u(i+1)
    end do
    u(1) = 3*u(2)
    do i = 2, n - 1
      u(i) = un(i)
    end do
  end do
  do i = 1, n
    c = c + u(i)*u(i)
  end do
end subroutine rim

! More is copied than is computed.
subroutine partly(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), un(n)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
    un(i) = 2*u0(i)
  end do
  do it = 1, nt
    do i = 3, n - 1
      un(i) = u(i-1) + 2*u(i+1)
    end do
    do i = 2, n - 1
      u(i) = un(i)
    end do
  end do
  do i = 1, n
    c = c + u(i)*u(i)
  end do
end subroutine partly

! Not copied in each round.
subroutine seldom(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), un(n)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  do it = 1, nt
    do i = 2, n - 1
      un(i) = u(i-1) + 2*u(i+1)
    end do
    if (mod(it, 2) == 1) then
      do i = 2, n - 1
        u(i) = un(i)
      end do
    end if
  end do
  do i = 1, n
    c = c + u(i)*u(i)
  end do
end subroutine seldom

! Somebody asks for the new level later.
subroutine later(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), un(n)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
    un(i) = u0(i)
  end do
  do it = 1, nt
    do i = 2, n - 1
      un(i) = u(i-1) + 2*u(i+1)
    end do
    do i = 2, n - 1
      u(i) = un(i)
    end do
  end do
  do i = 1, n
    c = c + u(i)*un(i)*u(i)
  end do
end subroutine later

! By sections and whole arrays, two after each other in one block.
subroutine sections(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), un(n), v(n), vn(n)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  v = 1
  do it = 1, nt
    un(2:n-1) = u(2:n-1)*v(1:n-2) + 2*u(3:n)
    vn = v + u*v
    c = c + u(1+n/2)*v(1)
    u(2:n-1) = un(2:n-1)
    v = vn
  end do
  do i = 1, n
    c = c + u(i)*v(i)
  end do
end subroutine sections

! One pair of a nest may not, so the other does not either.
subroutine both(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), un(n), v(n), vn(n)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  v = 1
  vn = 1
  do it = 1, nt
    do i = 2, n - 1
      un(i) = u(i)*v(i-1) + 2*u(i+1)
      vn(i) = vn(i) + u(i)
    end do
    do i = 2, n - 1
      u(i) = un(i)
      v(i) = vn(i)
    end do
  end do
  do i = 1, n
    c = c + u(i)*v(i)
  end do
end subroutine both

! The loop is left from within.
subroutine early(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), un(n)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  do it = 1, nt
    do i = 2, n - 1
      un(i) = u(i)*u(i-1) + 2*u(i+1)
    end do
    if (un(2) > 50) exit
    do i = 2, n - 1
      u(i) = un(i)
    end do
  end do
  do i = 1, n
    c = c + u(i)*u(i)
  end do
end subroutine early

! A pointer may be another name of a level.
subroutine pointed(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8), target :: u(n), un(n)
  real(8), pointer :: p(:)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  p => u
  do it = 1, nt
    do i = 2, n - 1
      un(i) = u(i)*u(i-1) + 2*u(i+1)
    end do
    do i = 2, n - 1
      u(i) = un(i)
    end do
    p(1) = 2*p(1)
  end do
  do i = 1, n
    c = c + u(i)*u(i)
  end do
end subroutine pointed

! Storage that is shared.
subroutine shared(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(5), un(5), w(5)
  equivalence (u, w)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  do it = 1, nt
    do i = 2, n - 1
      un(i) = u(i)*u(i-1) + 2*u(i+1)
    end do
    do i = 2, n - 1
      u(i) = un(i)
    end do
    w(1) = 2*w(1)
  end do
  do i = 1, n
    c = c + u(i)*u(i)
  end do
end subroutine shared

! What is copied is turned.
subroutine turned(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), a(n, n), an(n, n)
  integer :: j
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  a = 1
  do it = 1, nt
    do j = 1, n
      do i = 1, n
        an(i, j) = a(i, j)*u(i) + j
      end do
    end do
    do j = 1, n
      do i = 1, n
        a(i, j) = an(j, i)
      end do
    end do
  end do
  do i = 1, n
    c = c + a(i, 2)
  end do
end subroutine turned

! A diagonal is not all elements.
subroutine diagonal(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), a(n, n), an(n, n)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  a = 1
  an = 2
  do it = 1, nt
    do i = 1, n
      an(i, i) = a(i, i)*u(i) + a(1, i)
    end do
    do i = 1, n
      a(i, i) = an(i, i)
    end do
  end do
  do i = 1, n
    c = c + a(i, i)
  end do
end subroutine diagonal

! The new level is computed only sometimes.
subroutine apart(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), un(n)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  un = 3
  do it = 1, nt
    if (mod(it, 2) == 0) then
    do i = 2, n - 1
      un(i) = u(i)*u(i-1) + 2*u(i+1)
    end do
    end if
    do i = 2, n - 1
      u(i) = un(i)
    end do
  end do
  do i = 1, n
    c = c + u(i)*u(i)
  end do
end subroutine apart

! Three levels: the last two change places.
subroutine leap(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), un(n), uo(n)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  uo = u
  do it = 1, nt
    do i = 2, n - 1
      un(i) = uo(i) + u(i+1)*u(i-1)
    end do
    do i = 2, n - 1
      uo(i) = u(i)
    end do
    do i = 2, n - 1
      u(i) = un(i)
    end do
  end do
  do i = 1, n
    c = c + u(i)*u(i)
  end do
end subroutine leap

! What is copied is not the same in each round.
subroutine grows(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), un(n)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  un = 3
  do it = 1, nt
    do i = it, n - 1
      un(i) = u(i)*u(i+1)
    end do
    do i = it, n - 1
      u(i) = un(i)
    end do
  end do
  do i = 1, n
    c = c + u(i)*u(i)
  end do
end subroutine grows

! A call in the loop is given the level.
subroutine calls(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), un(n)
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  do it = 1, nt
    do i = 2, n - 1
      un(i) = u(i)*u(i-1) + 2*u(i+1)
    end do
    do i = 2, n - 1
      u(i) = un(i)
    end do
    call scale(n, u)
  end do
  do i = 1, n
    c = c + u(i)*u(i)
  end do
end subroutine calls

! The loop over time is within another.
subroutine within(n, nt, u0, c)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n)
  real(8), intent(inout) :: c
  real(8) :: u(n), un(n)
  integer :: k
  integer :: i, it
  do i = 1, n
    u(i) = u0(i)
  end do
  do k = 1, 2
  do it = 1, nt
    do i = 2, n - 1
      un(i) = u(i)*u(i-1) + 2*u(i+1)
    end do
    do i = 2, n - 1
      u(i) = un(i)
    end do
  end do
  end do
  do i = 1, n
    c = c + u(i)*u(i)
  end do
end subroutine within

subroutine scale(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  x(1) = 2*x(1)*x(2)
end subroutine scale
