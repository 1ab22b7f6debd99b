module once
  implicit none
contains
  subroutine reads(a)
    real(8), intent(inout) :: a
    real(8) :: b
    read (*, *) b
    a = a*b
  end subroutine reads
  subroutine apply(s, a)
    interface
      subroutine s(a)
        real(8), intent(inout) :: a
      end subroutine s
    end interface
    real(8), intent(inout) :: a
    call s(a)
  end subroutine apply
end module once
subroutine top(x, y)
  use once
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  y = x
  call apply(reads, y)
end subroutine top
