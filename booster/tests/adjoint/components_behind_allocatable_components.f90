! call p x=[0.7,1.3,0.9] y=0
! A call changes one component of the elements of an allocatable component: that component alone is recorded, if its
! array is there, and all of the array where the call may allocate it anew.
module components_behind_allocatable_components
  implicit none
  type :: cell
    integer :: level = 1
    real(8), allocatable :: width(:)
  end type cell
  type :: note
    integer :: level = 2
    character(4) :: text = 'none'
  end type note
  type :: mesh
    integer :: n = 0
    type(cell), allocatable :: c(:)
    type(note), allocatable :: about
  end type mesh
  type :: domain
    type(mesh) :: fine
    type(mesh), allocatable :: coarse(:)
  end type domain
  type(mesh), save :: kept

contains

  subroutine find(c, h)
    type(cell), intent(inout) :: c
    real(8), intent(in) :: h

    c%level = 1
    do while (c%level < size(c%width) .and. c%width(c%level) < h)
      c%level = c%level + 1
    end do
  end subroutine find

  subroutine find_all(m, h)
    type(mesh), intent(inout) :: m
    real(8), intent(in) :: h(3)
    integer :: i

    if (.not. allocated(m%c)) return
    do i = 1, m%n
      call find(m%c(i), h(i))
    end do
    if (allocated(m%about)) m%about%level = m%c(1)%level
  end subroutine find_all

  ! The array may be another one.
  subroutine refine(m)
    type(mesh), intent(inout) :: m
    type(cell), allocatable :: finer(:)
    integer :: i

    if (.not. allocated(m%c)) return
    allocate(finer(m%n))
    do i = 1, m%n
      finer(i)%width = [0.5d0*m%c(i)%width, m%c(i)%width]
      finer(i)%level = m%c(i)%level
    end do
    call move_alloc(finer, m%c)
  end subroutine refine

  subroutine find_coarse(d, h)
    type(domain), intent(inout) :: d
    real(8), intent(in) :: h(3)
    integer :: k

    do k = 1, size(d%coarse)
      call find_all(d%coarse(k), h)
    end do
    kept%n = kept%n + 1
  end subroutine find_coarse

  subroutine advance(m, h, q)
    type(mesh), intent(in) :: m
    real(8), intent(inout) :: h(3), q
    integer :: i

    do i = 1, m%n
      q = q + h(i)**2*m%c(i)%width(m%c(i)%level)
      h(i) = h(i) + 0.3d0*sin(q)
    end do
    if (allocated(m%about)) q = q*m%about%level
  end subroutine advance

  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(domain) :: d
    type(mesh) :: empty
    real(8) :: h(3)
    integer :: i, t

    d%fine%n = 3
    allocate(d%fine%c(3), d%fine%about, d%coarse(2))
    do i = 1, 3
      d%fine%c(i)%width = [0.4d0, 0.8d0, 1.2d0, 1.6d0]*i
    end do
    d%coarse(2) = d%fine
    h = x
    y = 0
    do t = 1, 3
      call find_all(d%fine, h)
      call find_all(empty, h)
      call advance(d%fine, h, y)
      call find_coarse(d, h)
      call advance(d%coarse(2), h, y)
      call advance(empty, h, y)
      if (t == 2) call refine(d%fine)
      y = sin(y)*kept%n
    end do
  end subroutine p
end module components_behind_allocatable_components
