module shapes
  implicit none
  type, abstract :: shape
    real(8) :: scale = 2
  contains
    procedure(area_of), deferred :: area
    procedure :: describe
  end type
  abstract interface
    function area_of(self) result(a)
      import :: shape
      class(shape), intent(in) :: self
      real(8) :: a
    end function
  end interface
  type, extends(shape) :: square
    real(8) :: side
  contains
    procedure :: area => square_area
  end type
  type, extends(square) :: named_square
    character(len=5) :: name = 'sq'
  contains
    procedure :: describe => describe_named
  end type
  type :: vec
    real(8) :: x, y
  end type
  interface operator(+)
    module procedure add
  end interface
  interface operator(.dot.)
    module procedure dot
  end interface
  interface assignment(=)
    module procedure from_real
  end interface
  interface norm
    module procedure norm_vec, norm_real
  end interface
  real(8), save :: total = 0
  integer, parameter :: table(3) = [10, 20, 30]
  procedure(area_of), pointer :: any_area => null()
contains
  function square_area(self) result(a)
    class(square), intent(in) :: self
    real(8) :: a
    a = self%side**2*self%scale
  end function
  subroutine describe(self, n)
    class(shape), intent(inout) :: self
    integer, intent(in) :: n
    self%scale = self%scale + n
    total = total + self%area()
    print *, 'shape', self%area(), total
  end subroutine
  subroutine describe_named(self, n)
    class(named_square), intent(inout) :: self
    integer, intent(in) :: n
    print *, 'named ', self%name, n
    call self%square%describe(n)
  end subroutine
  elemental function add(a, b) result(c)
    type(vec), intent(in) :: a, b
    type(vec) :: c
    c = vec(a%x + b%x, a%y + b%y)
  end function
  pure real(8) function dot(a, b)
    type(vec), intent(in) :: a, b
    dot = a%x*b%x + a%y*b%y
  end function
  elemental subroutine from_real(a, r)
    type(vec), intent(out) :: a
    real(8), intent(in) :: r
    a%x = r
    a%y = -r
  end subroutine
  real(8) function norm_vec(v)
    type(vec), intent(in) :: v
    norm_vec = sqrt(v.dot.v)
  end function
  real(8) function norm_real(r)
    real(8), intent(in) :: r
    norm_real = abs(r)
  end function
end module
program types_and_dispatch
  use shapes, only: square, named_square, shape, vec, total, operator(+), operator(.dot.), assignment(=), norm, tab => table
  implicit none
  class(shape), allocatable :: s
  type(square) :: q
  type(named_square) :: n
  type(vec) :: a, b, c(2)
  class(*), allocatable :: anything
  class(square), allocatable :: many(:)
  integer :: i
  q%side = 3
  call q%describe(1)
  n%side = 2
  call n%describe(2)
  s = q
  call which(s)
  deallocate (s)
  allocate (named_square :: s)
  call which(s)
  allocate (named_square :: many(3))
  do i = 1, 3
    many(i)%side = i
  end do
  call double_sides(many)
  print *, many%side
  a = vec(1, 2)
  b = vec(y=5d0, x=0.5d0)
  a = a + b
  print *, a%x, a%y, a.dot.b, norm(a), norm(-3d0)
  c = 4d0
  c = c + b
  print *, c%x, c%y, tab, total
  allocate (anything, source=3.5d0)
  select type (anything)
  type is (integer)
    print *, 'integer', anything
  type is (real(8))
    anything = anything*2
    print *, 'real', anything
  class default
    print *, 'other'
  end select
  associate (u => c(1)%x, v => a%x + 1)
    u = v*2
    print *, u, v, c(1)%x
  end associate
  block
    integer :: i
    i = 42
    print *, i
  end block
  i = 3
  select case (i)
  case (:0)
    print *, 'low'
  case (1, 3:5)
    print *, 'middle'
  case default
    print *, 'high'
  end select
  select case ('bb')
  case ('a':'b')
    print *, 'a to b'
  case ('ba':)
    print *, 'ba on'
  end select
contains
  subroutine double_sides(all)
    type(square), intent(inout) :: all(3)
    integer :: i
    do i = 1, 3
      all(i)%side = 2*all(i)%side
    end do
  end subroutine
  subroutine which(x)
    class(shape), intent(in) :: x
    select type (x)
    type is (square)
      print *, 'square', x%side
    class is (square)
      print *, 'some square', x%scale
    class default
      print *, 'unknown'
    end select
  end subroutine
end program
