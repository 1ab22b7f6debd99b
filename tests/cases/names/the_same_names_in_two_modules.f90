! Two modules have variables and procedures of the same names, which internal procedures use in turn.
module m1
  real(8) :: s = 1
contains
  subroutine f(a)
    real(8), intent(inout) :: a
    s = s*a
    a = sin(s)
  end subroutine
end module
module m2
  real(8) :: s = 1
contains
  subroutine f(a)
    use m1, only: g => f
    real(8), intent(inout) :: a
    s = s*a
    call g(a)
    a = a*s
    s = s*a
  end subroutine
end module
module m
contains
  subroutine p(x, y)
    use m1, only: f1 => f
    use m2, only: f2 => f, s
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: t
    s = x(1)
    t = x(2)
    call i1(t)
    call i2(t)
    y = t*s*x(3)
    call i1(y)
  contains
    subroutine i1(s)
      use m1, only: f
      real(8), intent(inout) :: s
      call f(s)
      s = s*x(1)
      call f2(s)
      s = s*s
    end subroutine
    subroutine i2(f)
      use m1, only: s
      use m2, only: i2f => f
      real(8), intent(inout) :: f
      s = s*f
      call i2f(f)
      f = f*s
      call f1(f)
    end subroutine
  end subroutine
end module
