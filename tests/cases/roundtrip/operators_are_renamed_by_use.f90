module algebra
  implicit none
  interface operator(.plus.)
    module procedure add
  end interface
  interface operator(**)
    module procedure power
  end interface
  type :: num
    integer :: v = 0
  end type num
  interface num
    module procedure from_text
  end interface num
  interface assignment(=)
    module procedure to_integer
  end interface
contains
  type(num) function add(a, b)
    type(num), intent(in) :: a, b
    add%v = a%v + b%v
  end function add
  type(num) function power(a, n)
    type(num), intent(in) :: a
    integer, intent(in) :: n
    power%v = a%v**n
  end function power
  type(num) function from_text(s)
    character(len=*), intent(in) :: s
    read (s, *) from_text%v
  end function from_text
  subroutine to_integer(i, a)
    integer, intent(out) :: i
    type(num), intent(in) :: a
    i = a%v
  end subroutine to_integer
end module algebra

program renames
  use algebra, only: operator(.sum.) => operator(.plus.), operator(**), number => num, assignment(=)
  implicit none
  type(number) :: a
  integer :: i
  a = number('12') .sum. number(30)
  i = a**2
  print *, a%v, i
end program renames
