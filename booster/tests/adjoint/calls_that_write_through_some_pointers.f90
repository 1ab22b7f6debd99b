! call through_names x=[0.5,0.7] y=1
! call through_other_names x=[0.5,0.7] y=1
! call that_exchange x=[0.5,0.7] y=1
! Any of the pointers may point to what the calls overwrite. A call gives back what lies behind the names through which it
! writes, be they of the module or passed on. Nobody asks whether `unused` points to something. Where the call exchanges
! pointers, or writes through a local one, all names are those of it.
module pointers_of_a_store
  implicit none
  real(8), pointer :: a(:) => null(), b(:) => null(), other(:) => null(), unused(:) => null()
  real(8), target :: s(2), t(2)
end module pointers_of_a_store

module steps_through_pointers
  use pointers_of_a_store
  implicit none
contains
  subroutine step()
    a = a*a*b
  end subroutine step

  subroutine square(v)
    real(8), intent(inout) :: v(:)
    v = v*v
  end subroutine square

  subroutine pass_on()
    call square(b)
    call square(a(1:1))
  end subroutine pass_on

  subroutine through_a_local()
    real(8), pointer :: local(:)
    local => b
    local = local*local*a
  end subroutine through_a_local

  subroutine exchange()
    real(8), pointer :: set_aside(:)
    a = a*b
    set_aside => a
    a => b
    b => set_aside
    a = a*b*a
  end subroutine exchange

  subroutine through_names(x, y)
    real(8), intent(inout) :: x(2), y
    allocate (a(2), b(2))
    a = x
    b = sin(x)
    other => a
    call step()
    y = y*a(1)*other(2)
    call pass_on()
    y = y*a(1)*b(2)
    call step()
    x = other*sin(y)
    y = y*b(1)
    deallocate (a, b)
  end subroutine through_names

  subroutine through_other_names(x, y)
    real(8), intent(inout) :: x(2), y
    s = x
    t = sin(x)
    a => s
    other => t
    b => t
    call through_a_local()
    y = y*b(1)*other(2)
    call through_a_local()
    x = other*sin(y)
    y = y*b(1)
  end subroutine through_other_names

  subroutine that_exchange(x, y)
    real(8), intent(inout) :: x(2), y
    s = x
    t = sin(x)
    a => s
    b => t
    other => s
    call exchange()
    y = y*b(1)*a(2)
    call exchange()
    x = other*sin(y)
    y = y*b(1)
  end subroutine that_exchange
end module steps_through_pointers
