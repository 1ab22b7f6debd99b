! call parts n=3 x=[1,2,3,4,5,6] y=[0.5,1.5,2.5,1,2,3,4,5,6]
! call values n=3 x=[1,2,3] y=[0.5,1.5,2.5]
! call pointed n=3 x=[1,2,3] y=[0.5,1.5,2.5]
module associate_names
  implicit none
  type :: cell
    real(8) :: a = 1
    real(8) :: w(0:2) = 1
  end type cell
  type :: holder
    real(8), pointer :: p(:) => null()
  end type holder
contains
  function built(x) result(c)
    real(8), intent(in) :: x
    type(cell) :: c
    c%a = x*x
    c%w = x
  end function built

  ! Names of sections: their elements, sections and components are those of the whole.
  subroutine parts(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(-1:4)
    real(8), intent(inout) :: y(n, n)
    type(cell) :: v
    type(cell) :: cells(0:3)
    real(8) :: all(2:n + 1)
    integer :: i, k
    v%w = x(1:3)
    cells%a = x(1)
    cells(2)%w = x(2)
    all = x(2:4)
    k = 2
    associate (row => y(k, :), part => x(0:4:2), back => x(3::-1), whole => all, own => v%w)
      k = 1
      row(2) = row(3)*part(2)
      part(1:2) = part(2:3)*row(1)
      part(::2) = part(::2)*2
      do i = 1, n
        row(i) = row(i)*part(i)*whole(i + 1)
      end do
      own(0) = own(1)*own(2)
      whole(2:3) = own(1:2)*whole(3:4)
      row = row + own*lbound(whole, 1)
      back(2) = back(1)*back(3)
      x(4) = x(4)*size(row)*k
    end associate
    associate (many => cells%a, some => cells(1:3))
      many(2) = many(3)*x(1)
      some(2)%w(1) = some(1)%a*x(2)
      some%a = some%a**2
      x(1) = sum(many) + sum(some(2)%w)
      associate (one => some(2), twice => 2*many)
        one%a = one%a*twice(1)
        x(0) = one%a + sum(twice)
      end associate
    end associate
  end subroutine parts

  ! Names of values, which stay what they are.
  subroutine values(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i
    type(cell) :: c
    c%a = x(1)
    do i = 1, 2
      associate (square => x*x, first => (x(1)), made => built(x(i)), text => trim('abc '))
        x = square*y + made%a*len(text)
        y = square + first
        if (i == 2) exit
        y(1) = y(1)*made%w(1)
      end associate
    end do
  end subroutine values

  ! Names of what pointers point to, as the construct is entered.
  subroutine pointed(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout), target :: x(n)
    real(8), intent(inout), target :: y(n)
    real(8), pointer :: q(:)
    type(holder) :: h
    q => x
    h%p => y
    associate (here => q, there => h%p(2:))
      here(1) = there(1)*here(2)
      there(2) = here(1)*there(1)
    end associate
    associate (here => q, there => h%p(2:))
      q => y
      h%p => x
      here(1) = there(1)*here(2)*q(2)
      there(2) = here(1)*there(1)*h%p(3)
    end associate
  end subroutine pointed
end module associate_names
