module c_side
  use, intrinsic :: iso_c_binding
  implicit none
  type, bind(c) :: vec
    real(c_double) :: x, y
    integer(c_int) :: tag
  end type vec
  enum, bind(c)
    enumerator :: red = 1, green, blue = 10
    enumerator :: last
  end enum
  integer(c_int), bind(c, name='shared_counter') :: counter = 0
  interface
    function c_abs(i) bind(c, name='abs') result(r)
      import :: c_int
      integer(c_int), value :: i
      integer(c_int) :: r
    end function c_abs
    pure real(c_double) function c_pow(x, y) bind(c, name='pow')
      import :: c_double
      real(c_double), intent(in), value :: x, y
    end function c_pow
  end interface
contains
  subroutine twice(v) bind(c, name='twice_vec')
    type(vec), intent(inout) :: v
    v%x = 2*v%x
    counter = counter + 1
  end subroutine twice
  integer(c_int) function bare(n) bind(c)
    integer(c_int), value :: n
    n = n + 1
    bare = n
  end function bare
end module c_side

program with_c
  use c_side
  implicit none
  type(vec), target :: v = vec(1.5_c_double, -1.0_c_double, 3_c_int)
  type(vec), pointer :: p
  call twice(v)
  call c_f_pointer(c_loc(v), p)
  print *, v%x, v%y, p%tag, counter, bare(4)
  print *, c_abs(-5), c_pow(2.0_c_double, 0.5_c_double), red, green, blue, last
end program with_c
