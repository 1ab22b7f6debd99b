module optionals
  implicit none
contains
  subroutine outer(a, b, n)
    real, intent(in), optional :: a(:), b
    integer, optional, intent(out) :: n
    call inner(a, b, n)
  end subroutine outer
  subroutine inner(a, b, n)
    real, intent(in), optional :: a(:), b
    integer, optional, intent(out) :: n
    if (present(n)) then
      n = 0
      if (present(a)) n = n + size(a)
      if (present(b)) n = n + 100*nint(b)
    end if
  end subroutine inner
end module optionals

program absent
  use optionals
  implicit none
  integer :: n
  call outer(n=n)
  print *, n
  call outer([1.0, 2.0], n=n)
  print *, n
  call outer(b=3.0, n=n)
  print *, n
  call outer()
end program absent
