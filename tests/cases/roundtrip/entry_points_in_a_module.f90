! flags: -std=f2003
module entries
  implicit none
  real, private :: total = 0.0
contains
  subroutine add(x)
    real, intent(in) :: x
    total = total + x
    return
    entry subtract(x)
    total = total - x
  end subroutine add
  function peek() result(p)
    real :: p, q
    p = total
    return
    entry twice() result(q)
    q = 2.0*total
  end function peek
end module entries

program use_entries
  use entries
  implicit none
  call add(5.0)
  call subtract(1.5)
  print *, peek(), twice()
end program use_entries
