integer :: i
i = 2
call sub(i)
print *, i
contains
  subroutine sub(n)
    integer, intent(inout) :: n
    n = n + 40
  end subroutine sub
end
