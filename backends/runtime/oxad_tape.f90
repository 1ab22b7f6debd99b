! The tape as Fortran sees it: what the forward sweep of an adjoint pushes, the backward sweep pops.
!
! push and pop take one value of an intrinsic type, of 1, 2, 4 or 8 bytes (complex: a part) or a
! character of any length; push_array and pop_array anything else: a whole array or section of any
! type and rank, which is one copy where it is contiguous, also a scalar of another kind or type. What was pushed last is
! popped first. The work is done by oxad_tape.c, which has a tape for each thread.
module oxad_tape
  use, intrinsic :: iso_c_binding, only: c_char, c_ptr, c_size_t
  implicit none
  private
  public :: push, pop, push_array, pop_array
  public :: tape_reserve, tape_reserved, tape_release
  public :: tape_bytes, tape_peak, tape_free

  ! One value.
  interface push
    module procedure push_integer1, push_integer2, push_integer4, push_integer8
    module procedure push_real4, push_real8, push_complex4, push_complex8
    module procedure push_logical1, push_logical2, push_logical4, push_logical8, push_character
  end interface push
  interface pop
    module procedure pop_integer1, pop_integer2, pop_integer4, pop_integer8
    module procedure pop_real4, pop_real8, pop_complex4, pop_complex8
    module procedure pop_logical1, pop_logical2, pop_logical4, pop_logical8, pop_character
  end interface pop

  interface
    ! A whole array or section, also of a type that push does not know.
    subroutine push_array(values) bind(c, name="oxad_push_array")
      type(*), dimension(..), intent(in) :: values
    end subroutine push_array
    subroutine pop_array(values) bind(c, name="oxad_pop_array")
      type(*), dimension(..), intent(inout) :: values
    end subroutine pop_array

    ! Contiguous room of so many bytes, aligned for vector instructions: reserved before a counted
    ! loop, indexed by its counter, found again by tape_reserved, given back by tape_release.
    type(c_ptr) function tape_reserve(bytes) bind(c, name="oxad_reserve")
      import :: c_ptr, c_size_t
      integer(c_size_t), value :: bytes
    end function tape_reserve
    type(c_ptr) function tape_reserved(bytes) bind(c, name="oxad_reserved")
      import :: c_ptr, c_size_t
      integer(c_size_t), value :: bytes
    end function tape_reserved
    subroutine tape_release(bytes) bind(c, name="oxad_release")
      import :: c_size_t
      integer(c_size_t), value :: bytes
    end subroutine tape_release

    ! Bytes on the tape of this thread: now, and at most so far.
    integer(c_size_t) function tape_bytes() bind(c, name="oxad_tape_bytes")
      import :: c_size_t
    end function tape_bytes
    integer(c_size_t) function tape_peak() bind(c, name="oxad_tape_peak")
      import :: c_size_t
    end function tape_peak
    ! Gives the memory of this thread's tape back.
    subroutine tape_free() bind(c, name="oxad_tape_free")
    end subroutine tape_free

    subroutine push_1(value) bind(c, name="oxad_push_1")
      type(*), intent(in) :: value
    end subroutine push_1
    subroutine push_2(value) bind(c, name="oxad_push_2")
      type(*), intent(in) :: value
    end subroutine push_2
    subroutine push_4(value) bind(c, name="oxad_push_4")
      type(*), intent(in) :: value
    end subroutine push_4
    subroutine push_8(value) bind(c, name="oxad_push_8")
      type(*), intent(in) :: value
    end subroutine push_8
    subroutine push_16(value) bind(c, name="oxad_push_16")
      type(*), intent(in) :: value
    end subroutine push_16
    subroutine push_bytes(values, bytes) bind(c, name="oxad_push_bytes")
      import :: c_char, c_size_t
      character(kind=c_char), intent(in) :: values(*)
      integer(c_size_t), value :: bytes
    end subroutine push_bytes
    subroutine pop_1(value) bind(c, name="oxad_pop_1")
      type(*), intent(inout) :: value
    end subroutine pop_1
    subroutine pop_2(value) bind(c, name="oxad_pop_2")
      type(*), intent(inout) :: value
    end subroutine pop_2
    subroutine pop_4(value) bind(c, name="oxad_pop_4")
      type(*), intent(inout) :: value
    end subroutine pop_4
    subroutine pop_8(value) bind(c, name="oxad_pop_8")
      type(*), intent(inout) :: value
    end subroutine pop_8
    subroutine pop_16(value) bind(c, name="oxad_pop_16")
      type(*), intent(inout) :: value
    end subroutine pop_16
    subroutine pop_bytes(values, bytes) bind(c, name="oxad_pop_bytes")
      import :: c_char, c_size_t
      character(kind=c_char), intent(inout) :: values(*)
      integer(c_size_t), value :: bytes
    end subroutine pop_bytes
  end interface

contains

  subroutine push_integer1(value)
    integer(1), intent(in) :: value
    call push_1(value)
  end subroutine push_integer1

  subroutine pop_integer1(value)
    integer(1), intent(inout) :: value
    call pop_1(value)
  end subroutine pop_integer1

  subroutine push_integer2(value)
    integer(2), intent(in) :: value
    call push_2(value)
  end subroutine push_integer2

  subroutine pop_integer2(value)
    integer(2), intent(inout) :: value
    call pop_2(value)
  end subroutine pop_integer2

  subroutine push_integer4(value)
    integer(4), intent(in) :: value
    call push_4(value)
  end subroutine push_integer4

  subroutine pop_integer4(value)
    integer(4), intent(inout) :: value
    call pop_4(value)
  end subroutine pop_integer4

  subroutine push_integer8(value)
    integer(8), intent(in) :: value
    call push_8(value)
  end subroutine push_integer8

  subroutine pop_integer8(value)
    integer(8), intent(inout) :: value
    call pop_8(value)
  end subroutine pop_integer8

  subroutine push_real4(value)
    real(4), intent(in) :: value
    call push_4(value)
  end subroutine push_real4

  subroutine pop_real4(value)
    real(4), intent(inout) :: value
    call pop_4(value)
  end subroutine pop_real4

  subroutine push_real8(value)
    real(8), intent(in) :: value
    call push_8(value)
  end subroutine push_real8

  subroutine pop_real8(value)
    real(8), intent(inout) :: value
    call pop_8(value)
  end subroutine pop_real8

  subroutine push_complex4(value)
    complex(4), intent(in) :: value
    call push_8(value)
  end subroutine push_complex4

  subroutine pop_complex4(value)
    complex(4), intent(inout) :: value
    call pop_8(value)
  end subroutine pop_complex4

  subroutine push_complex8(value)
    complex(8), intent(in) :: value
    call push_16(value)
  end subroutine push_complex8

  subroutine pop_complex8(value)
    complex(8), intent(inout) :: value
    call pop_16(value)
  end subroutine pop_complex8

  subroutine push_logical1(value)
    logical(1), intent(in) :: value
    call push_1(value)
  end subroutine push_logical1

  subroutine pop_logical1(value)
    logical(1), intent(inout) :: value
    call pop_1(value)
  end subroutine pop_logical1

  subroutine push_logical2(value)
    logical(2), intent(in) :: value
    call push_2(value)
  end subroutine push_logical2

  subroutine pop_logical2(value)
    logical(2), intent(inout) :: value
    call pop_2(value)
  end subroutine pop_logical2

  subroutine push_logical4(value)
    logical(4), intent(in) :: value
    call push_4(value)
  end subroutine push_logical4

  subroutine pop_logical4(value)
    logical(4), intent(inout) :: value
    call pop_4(value)
  end subroutine pop_logical4

  subroutine push_logical8(value)
    logical(8), intent(in) :: value
    call push_8(value)
  end subroutine push_logical8

  subroutine pop_logical8(value)
    logical(8), intent(inout) :: value
    call pop_8(value)
  end subroutine pop_logical8

  subroutine push_character(value)
    character(len=*), intent(in) :: value
    call push_bytes(value, len(value, c_size_t))
  end subroutine push_character

  subroutine pop_character(value)
    character(len=*), intent(inout) :: value
    call pop_bytes(value, len(value, c_size_t))
  end subroutine pop_character

end module oxad_tape
