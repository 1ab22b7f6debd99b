program constructors
  implicit none
  type :: base
    integer :: id
    real :: w(2) = [0.5, 0.25]
  end type base
  type, extends(base) :: derived
    character(len=4) :: tag = '....'
    integer, allocatable :: list(:)
    type(base), pointer :: link => null()
  end type derived
  type(base), target :: b
  type(derived) :: d
  type(base) :: many(2) = [base(1), base(2, [1.0, 2.0])]
  b = base(w=[3.0, 4.0], id=7)
  d = derived(base=b, tag='ab', list=[1, 2, 3], link=b)
  print *, d%id, d%w, d%base%w(2), d%tag, d%list, d%link%id
  d = derived(9)
  print *, d%id, d%w, d%tag, allocated(d%list), associated(d%link)
  print *, many%id, many(2)%w
end program constructors
