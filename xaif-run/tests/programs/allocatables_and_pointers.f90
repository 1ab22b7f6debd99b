program allocatables_and_pointers
  implicit none
  type node
    real(8) :: value = 1.5d0
    type(node), pointer :: next => null()
  end type
  type box
    real(8), allocatable :: items(:)
    integer :: count = 0
    type(node) :: first
  end type
  real(8), allocatable :: a(:), b(:, :), s
  real(8), allocatable, target :: t(:)
  real(8), pointer :: p(:), q(:), m(:, :), r
  type(node), pointer :: list, at
  type(box) :: x, y
  type(box), allocatable :: boxes(:)
  integer :: i, stat
  character(:), allocatable :: text
  a = [1d0, 2d0, 3d0]
  print *, a, size(a), allocated(a), allocated(b)
  a = [a, 4d0]
  a = a(2:)*2
  print *, a, lbound(a), ubound(a)
  allocate (b(2, 0:2), source=0.5d0)
  b(1, :) = [1, 2, 3]
  print *, b, lbound(b), ubound(b)
  allocate (a(3), stat=stat)
  print *, stat /= 0
  deallocate (a)
  allocate (a(2))
  a = 7
  call grow(a)
  print *, a
  s = 3.5d0
  s = s + 1
  print *, s
  allocate (t(10))
  t = [(dble(i), i=1, 10)]
  p => t
  q => p(2:10:3)
  m(1:2, 1:3) => t(3:8)
  r => t(5)
  r = -5
  q(1) = 100
  m(2, 1) = 0.25d0
  print *, t, q, m, associated(p, t), associated(q), size(q)
  p(0:) => t
  print *, lbound(p), ubound(p), p(0)
  nullify (q)
  print *, associated(q)
  nullify (list)
  do i = 1, 4
    allocate (at)
    at%value = i**2
    at%next => list
    list => at
  end do
  at => list
  do while (associated(at))
    print *, at%value
    at => at%next
  end do
  x%items = [1d0, 2d0]
  x%count = 2
  y = x
  y%items(1) = 99
  x%first%value = 4
  print *, x%items, y%items, x%first%value, y%first%value, y%count
  allocate (boxes(2))
  boxes(2) = y
  boxes(2)%items = boxes(2)%items + 1
  print *, boxes(2)%items, y%items, boxes(:)%count, allocated(boxes(1)%items)
  boxes = [boxes, x]
  print *, size(boxes), boxes(3)%items
  call move_alloc(boxes(3)%items, a)
  print *, a, allocated(boxes(3)%items)
  text = 'abc'
  text = text//'def'
  print *, text, len(text)
  call optional_arguments(1)
  call optional_arguments(1, 2)
  call optional_arguments(c=5, a=1)
contains
  subroutine grow(v)
    real(8), allocatable, intent(inout) :: v(:)
    v = [v, v]
  end subroutine
  subroutine optional_arguments(a, b, c)
    integer, intent(in) :: a
    integer, intent(in), optional :: b, c
    print *, a, present(b), present(c)
    if (present(c)) call inner(c)
    call inner(b)
  end subroutine
  subroutine inner(n)
    integer, intent(in), optional :: n
    if (present(n)) print *, 'inner', n
  end subroutine
end program
