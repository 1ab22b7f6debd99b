module shapes
  type field
    real :: scale
    real, pointer :: values(:)
  end type
  real, target :: pool(100)
  real :: factor = 1
contains
  subroutine attach(f)
    type(field), intent(inout) :: f
    f%values => pool
    f%scale = factor
  end subroutine

  subroutine grow(f, total)
    type(field), intent(inout) :: f
    real, intent(out) :: total
    integer :: i
    total = 0
    do i = 1, size(f%values)
      call add(i)
    end do
  contains
    subroutine add(k)
      integer, intent(in) :: k
      f%values(k) = f%scale*f%values(k)
      total = total + f%values(k)
    end subroutine
  end subroutine

  subroutine top(total)
    real, intent(out) :: total
    type(field) :: f
    call attach(f)
    call grow(f, total)
  end subroutine
end module
