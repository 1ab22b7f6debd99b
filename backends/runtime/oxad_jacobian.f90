! Sparse Jacobians: patterns, colours of columns or rows, and the elements of a compressed Jacobian.
!
! Columns without a common row have one colour: their sum has each of their elements by itself (Curtis, Powell and Reid
! 1974). Rows without a common column likewise. A pattern is coloured both ways, and the way with fewer colours is taken.
module oxad_jacobian
  implicit none
  private
  public :: pattern, pattern_of, union_of, coloured, seeds_of, unpacked, dense_of

  ! The elements of a matrix that may be other than zero, row by row: those of row i have the positions first(i) to
  ! first(i + 1) - 1, and stand in the columns column(…), ascending.
  type :: pattern
    integer :: rows = 0, columns = 0
    integer, allocatable :: first(:), column(:)
    ! The colour of each column, or of each row.
    logical :: by_rows = .false.
    integer :: colours = 0
    integer, allocatable :: colour(:)
  end type pattern

  interface pattern_of
    module procedure pattern_of_mask, pattern_of_matrix
  end interface pattern_of

contains

  ! The pattern of a mask.
  type(pattern) function pattern_of_mask(mask) result(found)
    logical, intent(in) :: mask(:, :)
    integer :: i, j, k

    found%rows = size(mask, 1)
    found%columns = size(mask, 2)
    allocate(found%first(found%rows + 1), found%column(count(mask)))
    k = 1
    do i = 1, found%rows
      found%first(i) = k
      do j = 1, found%columns
        if (mask(i, j)) then
          found%column(k) = j
          k = k + 1
        end if
      end do
    end do
    found%first(found%rows + 1) = k
  end function pattern_of_mask

  ! The pattern of the elements of a matrix that are not zero. Elements that are zero by chance are missing: unite
  ! the patterns at several points.
  type(pattern) function pattern_of_matrix(matrix) result(found)
    real(8), intent(in) :: matrix(:, :)

    found = pattern_of_mask(.not. abs(matrix) <= 0)
  end function pattern_of_matrix

  ! The elements of either pattern.
  type(pattern) function union_of(a, b) result(found)
    type(pattern), intent(in) :: a, b
    integer :: i, k, left, right

    if (a%rows /= b%rows .or. a%columns /= b%columns) error stop 'oxad_jacobian: patterns differ in shape'
    found%rows = a%rows
    found%columns = a%columns
    allocate(found%first(a%rows + 1), found%column(size(a%column) + size(b%column)))
    k = 1
    do i = 1, a%rows
      found%first(i) = k
      left = a%first(i)
      right = b%first(i)
      do while (left < a%first(i + 1) .or. right < b%first(i + 1))
        if (right >= b%first(i + 1)) then
          found%column(k) = a%column(left)
          left = left + 1
        else if (left >= a%first(i + 1)) then
          found%column(k) = b%column(right)
          right = right + 1
        else
          found%column(k) = min(a%column(left), b%column(right))
          if (a%column(left) == found%column(k)) left = left + 1
          if (b%column(right) == found%column(k)) right = right + 1
        end if
        k = k + 1
      end do
    end do
    found%first(a%rows + 1) = k
    found%column = found%column(1:k - 1)
  end function union_of

  ! Colours the columns, or the rows where that takes fewer colours.
  subroutine coloured(own)
    type(pattern), intent(inout) :: own
    integer, allocatable :: by_column(:), by_row(:)
    integer :: columns, rows
    type(pattern) :: transposed

    transposed = transpose_of(own)
    call colour_columns(own, transposed, by_column, columns)
    call colour_columns(transposed, own, by_row, rows)
    own%by_rows = rows < columns
    if (own%by_rows) then
      call move_alloc(by_row, own%colour)
      own%colours = rows
    else
      call move_alloc(by_column, own%colour)
      own%colours = columns
    end if
  end subroutine coloured

  ! Each column gets the first colour that none of its neighbours has, the column with most neighbours first.
  subroutine colour_columns(own, transposed, colour, colours)
    type(pattern), intent(in) :: own, transposed
    integer, allocatable, intent(out) :: colour(:)
    integer, intent(out) :: colours
    integer, allocatable :: last(:), degree(:), order(:), start(:)
    integer :: at, j, row, k, l, d, most

    allocate(colour(own%columns), source=0)
    allocate(last(0:own%columns), source=0)
    allocate(degree(own%columns), source=0)
    do j = 1, own%columns
      do k = transposed%first(j), transposed%first(j + 1) - 1
        row = transposed%column(k)
        degree(j) = degree(j) + own%first(row + 1) - own%first(row) - 1
      end do
    end do
    ! Sorted by counting.
    most = maxval([degree, 0])
    allocate(start(0:most + 1), source=0)
    do j = 1, own%columns
      d = most - degree(j)
      start(d + 1) = start(d + 1) + 1
    end do
    do d = 1, most + 1
      start(d) = start(d) + start(d - 1)
    end do
    allocate(order(own%columns))
    do j = 1, own%columns
      d = most - degree(j)
      start(d) = start(d) + 1
      order(start(d)) = j
    end do
    colours = 0
    do at = 1, own%columns
      j = order(at)
      do k = transposed%first(j), transposed%first(j + 1) - 1
        row = transposed%column(k)
        do l = own%first(row), own%first(row + 1) - 1
          last(colour(own%column(l))) = at
        end do
      end do
      colour(j) = 1
      do while (last(colour(j)) == at)
        colour(j) = colour(j) + 1
      end do
      colours = max(colours, colour(j))
    end do
  end subroutine colour_columns

  type(pattern) function transpose_of(own) result(found)
    type(pattern), intent(in) :: own
    integer, allocatable :: next(:)
    integer :: i, k

    found%rows = own%columns
    found%columns = own%rows
    allocate(next(own%columns + 1), source=0)
    do k = 1, size(own%column)
      next(own%column(k) + 1) = next(own%column(k) + 1) + 1
    end do
    next(1) = 1
    do i = 1, own%columns
      next(i + 1) = next(i + 1) + next(i)
    end do
    allocate(found%first(own%columns + 1), source=next)
    allocate(found%column(size(own%column)))
    do i = 1, own%rows
      do k = own%first(i), own%first(i + 1) - 1
        found%column(next(own%column(k))) = i
        next(own%column(k)) = next(own%column(k)) + 1
      end do
    end do
  end function transpose_of

  ! The directions of the colours as columns, or the weights as rows.
  function seeds_of(own) result(seeds)
    type(pattern), intent(in) :: own
    real(8), allocatable :: seeds(:, :)
    integer :: j

    if (own%by_rows) then
      allocate(seeds(own%colours, own%rows), source=0d0)
      do j = 1, own%rows
        seeds(own%colour(j), j) = 1
      end do
    else
      allocate(seeds(own%columns, own%colours), source=0d0)
      do j = 1, own%columns
        seeds(j, own%colour(j)) = 1
      end do
    end if
  end function seeds_of

  ! The elements of the pattern from the compressed matrix.
  function unpacked(own, products) result(values)
    type(pattern), intent(in) :: own
    real(8), intent(in) :: products(:, :)
    real(8), allocatable :: values(:)
    integer :: i, k

    allocate(values(size(own%column)))
    do i = 1, own%rows
      do k = own%first(i), own%first(i + 1) - 1
        if (own%by_rows) then
          values(k) = products(own%colour(i), own%column(k))
        else
          values(k) = products(i, own%colour(own%column(k)))
        end if
      end do
    end do
  end function unpacked

  ! The whole matrix.
  function dense_of(own, values) result(matrix)
    type(pattern), intent(in) :: own
    real(8), intent(in) :: values(:)
    real(8), allocatable :: matrix(:, :)
    integer :: i, k

    allocate(matrix(own%rows, own%columns), source=0d0)
    do i = 1, own%rows
      do k = own%first(i), own%first(i + 1) - 1
        matrix(i, own%column(k)) = values(k)
      end do
    end do
  end function dense_of
end module oxad_jacobian
