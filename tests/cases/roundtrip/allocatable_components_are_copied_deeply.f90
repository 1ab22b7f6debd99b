! flags: -Wno-maybe-uninitialized
program deep
  implicit none
  type :: field
    real, allocatable :: v(:, :)
    character(len=:), allocatable :: label
  end type field
  type(field) :: a, b
  type(field), allocatable :: list(:)
  allocate(a%v(2, 2))
  a%v = reshape([1.0, 2.0, 3.0, 4.0], [2, 2])
  a%label = 'first'
  b = a
  b%v(1, 1) = -1.0
  b%label = b%label // ' copy'
  print *, a%v, a%label
  print *, b%v, b%label, size(b%v, 1)
  list = [a, b]
  deallocate(a%v)
  print *, allocated(a%v), allocated(list(1)%v), sum(list(2)%v)
end program deep
