! call drive x=[0.7,1.3,0.9] y=0.5
! call attached x=[0.7,1.3,0.9] y=0.5
! What pointers point to has allocatable components: their adjoints get the allocation of their originals
! where the backward sweep comes to name them.
module lists
  implicit none
  type node
    real(8), allocatable :: v(:)
    real(8) :: w = 1
    type(node), pointer :: next => null()
  end type
contains
  subroutine push(head, v)
    type(node), pointer, intent(inout) :: head
    real(8), intent(in) :: v(:)
    type(node), pointer :: new
    allocate (new)
    allocate (new%v(size(v)))
    new%v = v*v
    new%w = sum(v)
    new%next => head
    head => new
  end subroutine
  subroutine scale(a, f)
    type(node), intent(inout) :: a
    real(8), intent(in) :: f
    a%v = a%v*f*a%w
    a%w = a%w*f
  end subroutine
  real(8) function total(head) result(s)
    type(node), pointer, intent(in) :: head
    type(node), pointer :: p
    s = 0
    p => head
    do while (associated(p))
      s = s + sum(p%v**2)*p%w
      p => p%next
    end do
  end function
  subroutine drive(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(node), pointer :: head, p
    integer :: i
    nullify (head)
    do i = 1, 3
      call push(head, x(1:i))
    end do
    p => head
    do while (associated(p))
      call scale(p, x(2))
      if (associated(p%next)) then
        p%v(1) = p%v(1)*p%next%v(1)
        p%next%v = p%next%v*p%w
      end if
      p => p%next
    end do
    y = total(head)
    do while (associated(head))
      p => head%next
      deallocate (head)
      head => p
    end do
  end subroutine
end module
module parts
  implicit none
  type part
    real(8) :: s = 1
    real(8), allocatable :: q(:)
  end type
contains
  subroutine attach_part(g, x)
    type(part), pointer, intent(inout) :: g
    real(8), intent(in) :: x(:)
    allocate (g)
    g%q = x*x
  end subroutine
  subroutine attached(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(part), pointer :: g
    call attach_part(g, x)
    y = sum(g%q**2)
    deallocate (g)
  end subroutine
end module
