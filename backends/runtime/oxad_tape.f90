! The tape as Fortran sees it: what the forward sweep of an adjoint pushes, the backward sweep pops.
!
! push and pop take one value of an intrinsic type, of 1, 2, 4 or 8 bytes (complex: a part) or a
! character of any length; push_array and pop_array take an array or section of numbers that is
! contiguous; push_section and pop_section anything else: a section or array of any type and rank,
! also a scalar of another kind or type.
! What was pushed last is popped first. reserve gives room for all that a counted loop records, so
! that the compiler can vectorise the loop. The work is done by oxad_tape_chunks.c, which has a tape for
! each thread.
module oxad_tape
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_f_pointer, c_float, c_int32_t, &
      c_int64_t, c_loc, c_ptr, c_size_t
  implicit none
  private
  public :: push, pop, push_array, pop_array, push_section, pop_section
  public :: reserve, keep, reserved, release
  public :: tape_bytes, tape_peak, tape_pushes, tape_free

  ! One value.
  interface push
    procedure push_integer4, push_integer8, push_real4, push_real8
    module procedure push_integer1, push_integer2, push_complex4, push_complex8
    module procedure push_logical1, push_logical2, push_logical4, push_logical8, push_character
  end interface push
  interface pop
    procedure pop_integer4, pop_integer8, pop_real4, pop_real8
    module procedure pop_integer1, pop_integer2, pop_complex4, pop_complex8
    module procedure pop_logical1, pop_logical2, pop_logical4, pop_logical8, pop_character
  end interface pop

  ! An array or section that is contiguous. The type is known, so no descriptor is made for C: 5 ns in
  ! the place of 13 ns for three numbers pushed and popped (gfortran 12 -O2, EPYC, tape in cache).
  interface push_array
    module procedure push_array_integer4, push_array_integer8, push_array_real4, push_array_real8
    module procedure push_array_complex4, push_array_complex8, push_array_logical4
  end interface push_array
  interface pop_array
    module procedure pop_array_integer4, pop_array_integer8, pop_array_real4, pop_array_real8
    module procedure pop_array_complex4, pop_array_complex8, pop_array_logical4
  end interface pop_array

  ! Contiguous room for what a counted loop records, aligned for vector instructions: `reserve`
  ! before the loop, which indexes it by its counter; `keep` behind the loop. Backward, `reserved`
  ! finds it again, `release` gives it back. Measured with gfortran 12 on a loop that records two
  ! values a round and takes them back: push and pop 10 ns a round, the loop is not vectorised;
  ! room behind a contiguous pointer 1.4 ns, vectorised, the same as an internal procedure to
  ! which the room is passed with explicit shape (-O3 -march=native; at -O2, where gfortran
  ! vectorises less, 6.5 and 3 ns). One room for each row of a nest costs no more than one for
  ! the whole nest.
  interface reserve
    module procedure reserve_integer4, reserve_integer4_long, reserve_integer8
    module procedure reserve_integer8_long, reserve_real4, reserve_real4_long, reserve_real8
    module procedure reserve_real8_long, reserve_complex4, reserve_complex4_long, reserve_complex8
    module procedure reserve_complex8_long, reserve_logical4, reserve_logical4_long
  end interface reserve
  interface keep
    module procedure keep_integer4, keep_integer8, keep_real4, keep_real8, keep_complex4
    module procedure keep_complex8, keep_logical4
  end interface keep
  interface reserved
    module procedure reserved_integer4, reserved_integer8, reserved_real4, reserved_real8
    module procedure reserved_complex4, reserved_complex8, reserved_logical4
  end interface reserved
  interface release
    module procedure release_integer4, release_integer8, release_real4, release_real8
    module procedure release_complex4, release_complex8, release_logical4
  end interface release

  interface
    subroutine push_described(values) bind(c, name="oxad_push_array")
      type(*), dimension(..), intent(in) :: values
    end subroutine push_described
    subroutine pop_described(values) bind(c, name="oxad_pop_array")
      type(*), dimension(..), intent(inout) :: values
    end subroutine pop_described

    type(c_ptr) function reserve_bytes(bytes) bind(c, name="oxad_reserve")
      import :: c_ptr, c_size_t
      integer(c_size_t), value :: bytes
    end function reserve_bytes
    subroutine keep_bytes(room, bytes) bind(c, name="oxad_keep")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: room
      integer(c_size_t), value :: bytes
    end subroutine keep_bytes
    type(c_ptr) function reserved_bytes(bytes) bind(c, name="oxad_reserved")
      import :: c_ptr, c_size_t
      integer(c_size_t), intent(out) :: bytes
    end function reserved_bytes
    subroutine release_bytes(room) bind(c, name="oxad_release")
      import :: c_ptr
      type(c_ptr), value :: room
    end subroutine release_bytes

    ! Bytes on the tape of this thread: now, and at most so far.
    integer(c_size_t) function tape_bytes() bind(c, name="oxad_tape_bytes")
      import :: c_size_t
    end function tape_bytes
    integer(c_size_t) function tape_peak() bind(c, name="oxad_tape_peak")
      import :: c_size_t
    end function tape_peak
    ! How often anything was recorded; 0 unless oxad_tape_chunks.c is compiled with -DOXAD_TAPE_COUNT.
    integer(c_size_t) function tape_pushes() bind(c, name="oxad_tape_pushes")
      import :: c_size_t
    end function tape_pushes
    ! Gives the memory of this thread's tape back.
    subroutine tape_free() bind(c, name="oxad_tape_free")
    end subroutine tape_free

    ! The usual scalars go to C at once: a call of this module in between would cost as much as a push.
    ! By reference, because a variable may be pushed before it has a value: by value, gfortran warns of it.
    subroutine push_integer4(value) bind(c, name="oxad_push_integer4")
      import :: c_int32_t
      integer(c_int32_t), intent(in) :: value
    end subroutine push_integer4
    subroutine pop_integer4(value) bind(c, name="oxad_pop_integer4")
      import :: c_int32_t
      integer(c_int32_t), intent(inout) :: value
    end subroutine pop_integer4
    subroutine push_integer8(value) bind(c, name="oxad_push_integer8")
      import :: c_int64_t
      integer(c_int64_t), intent(in) :: value
    end subroutine push_integer8
    subroutine pop_integer8(value) bind(c, name="oxad_pop_integer8")
      import :: c_int64_t
      integer(c_int64_t), intent(inout) :: value
    end subroutine pop_integer8
    subroutine push_real4(value) bind(c, name="oxad_push_real4")
      import :: c_float
      real(c_float), intent(in) :: value
    end subroutine push_real4
    subroutine pop_real4(value) bind(c, name="oxad_pop_real4")
      import :: c_float
      real(c_float), intent(inout) :: value
    end subroutine pop_real4
    subroutine push_real8(value) bind(c, name="oxad_push_real8")
      import :: c_double
      real(c_double), intent(in) :: value
    end subroutine push_real8
    subroutine pop_real8(value) bind(c, name="oxad_pop_real8")
      import :: c_double
      real(c_double), intent(inout) :: value
    end subroutine pop_real8

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
    subroutine push_block(values, bytes) bind(c, name="oxad_push_block")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: values
      integer(c_size_t), value :: bytes
    end subroutine push_block
    subroutine pop_block(values, bytes) bind(c, name="oxad_pop_block")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: values
      integer(c_size_t), value :: bytes
    end subroutine pop_block
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

  ! An array or section of any type, also a scalar of a type that push does not know.
  !
  ! Passed on by a procedure of Fortran, because gfortran 12 computes the strides of what it passes to
  ! C by `span`, a part of its descriptors that it does not set where an assignment allocates
  ! the result of RESHAPE, SPREAD, MATMUL and the like; for a procedure of Fortran it does.
  subroutine push_section(values)
    type(*), dimension(..), intent(in) :: values
    call push_described(values)
  end subroutine push_section

  subroutine pop_section(values)
    type(*), dimension(..), intent(inout) :: values
    call pop_described(values)
  end subroutine pop_section

  subroutine push_array_integer4(values)
    integer(4), dimension(..), contiguous, target, intent(in) :: values
    call push_block(c_loc(values), 4_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_integer4

  subroutine pop_array_integer4(values)
    integer(4), dimension(..), contiguous, target, intent(inout) :: values
    call pop_block(c_loc(values), 4_c_size_t*size(values, kind=c_size_t))
  end subroutine pop_array_integer4

  subroutine push_array_integer8(values)
    integer(8), dimension(..), contiguous, target, intent(in) :: values
    call push_block(c_loc(values), 8_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_integer8

  subroutine pop_array_integer8(values)
    integer(8), dimension(..), contiguous, target, intent(inout) :: values
    call pop_block(c_loc(values), 8_c_size_t*size(values, kind=c_size_t))
  end subroutine pop_array_integer8

  subroutine push_array_real4(values)
    real(4), dimension(..), contiguous, target, intent(in) :: values
    call push_block(c_loc(values), 4_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_real4

  subroutine pop_array_real4(values)
    real(4), dimension(..), contiguous, target, intent(inout) :: values
    call pop_block(c_loc(values), 4_c_size_t*size(values, kind=c_size_t))
  end subroutine pop_array_real4

  subroutine push_array_real8(values)
    real(8), dimension(..), contiguous, target, intent(in) :: values
    call push_block(c_loc(values), 8_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_real8

  subroutine pop_array_real8(values)
    real(8), dimension(..), contiguous, target, intent(inout) :: values
    call pop_block(c_loc(values), 8_c_size_t*size(values, kind=c_size_t))
  end subroutine pop_array_real8

  subroutine push_array_complex4(values)
    complex(4), dimension(..), contiguous, target, intent(in) :: values
    call push_block(c_loc(values), 8_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_complex4

  subroutine pop_array_complex4(values)
    complex(4), dimension(..), contiguous, target, intent(inout) :: values
    call pop_block(c_loc(values), 8_c_size_t*size(values, kind=c_size_t))
  end subroutine pop_array_complex4

  subroutine push_array_complex8(values)
    complex(8), dimension(..), contiguous, target, intent(in) :: values
    call push_block(c_loc(values), 16_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_complex8

  subroutine pop_array_complex8(values)
    complex(8), dimension(..), contiguous, target, intent(inout) :: values
    call pop_block(c_loc(values), 16_c_size_t*size(values, kind=c_size_t))
  end subroutine pop_array_complex8

  subroutine push_array_logical4(values)
    logical(4), dimension(..), contiguous, target, intent(in) :: values
    call push_block(c_loc(values), 4_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_logical4

  subroutine pop_array_logical4(values)
    logical(4), dimension(..), contiguous, target, intent(inout) :: values
    call pop_block(c_loc(values), 4_c_size_t*size(values, kind=c_size_t))
  end subroutine pop_array_logical4

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

  subroutine reserve_integer4(room, count)
    integer(4), pointer, contiguous, intent(out) :: room(:)
    integer(4), intent(in) :: count
    call reserve(room, int(count, 8))
  end subroutine reserve_integer4

  subroutine reserve_integer4_long(room, count)
    integer(4), pointer, contiguous, intent(out) :: room(:)
    integer(8), intent(in) :: count
    call c_f_pointer(reserve_bytes(4_c_size_t*max(count, 0_8)), room, [max(count, 0_8)])
  end subroutine reserve_integer4_long

  subroutine keep_integer4(room)
    integer(4), pointer, contiguous, intent(in) :: room(:)
    call keep_bytes(c_loc(room), 4_c_size_t*size(room, kind=c_size_t))
  end subroutine keep_integer4

  subroutine reserved_integer4(room)
    integer(4), pointer, contiguous, intent(out) :: room(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = reserved_bytes(bytes)
    call c_f_pointer(place, room, [bytes/4])
  end subroutine reserved_integer4

  subroutine release_integer4(room)
    integer(4), pointer, contiguous, intent(inout) :: room(:)
    call release_bytes(c_loc(room))
    nullify (room)
  end subroutine release_integer4

  subroutine reserve_integer8(room, count)
    integer(8), pointer, contiguous, intent(out) :: room(:)
    integer(4), intent(in) :: count
    call reserve(room, int(count, 8))
  end subroutine reserve_integer8

  subroutine reserve_integer8_long(room, count)
    integer(8), pointer, contiguous, intent(out) :: room(:)
    integer(8), intent(in) :: count
    call c_f_pointer(reserve_bytes(8_c_size_t*max(count, 0_8)), room, [count])
  end subroutine reserve_integer8_long

  subroutine keep_integer8(room)
    integer(8), pointer, contiguous, intent(in) :: room(:)
    call keep_bytes(c_loc(room), 8_c_size_t*size(room, kind=c_size_t))
  end subroutine keep_integer8

  subroutine reserved_integer8(room)
    integer(8), pointer, contiguous, intent(out) :: room(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = reserved_bytes(bytes)
    call c_f_pointer(place, room, [bytes/8])
  end subroutine reserved_integer8

  subroutine release_integer8(room)
    integer(8), pointer, contiguous, intent(inout) :: room(:)
    call release_bytes(c_loc(room))
    nullify (room)
  end subroutine release_integer8

  subroutine reserve_real4(room, count)
    real(4), pointer, contiguous, intent(out) :: room(:)
    integer(4), intent(in) :: count
    call reserve(room, int(count, 8))
  end subroutine reserve_real4

  subroutine reserve_real4_long(room, count)
    real(4), pointer, contiguous, intent(out) :: room(:)
    integer(8), intent(in) :: count
    call c_f_pointer(reserve_bytes(4_c_size_t*max(count, 0_8)), room, [count])
  end subroutine reserve_real4_long

  subroutine keep_real4(room)
    real(4), pointer, contiguous, intent(in) :: room(:)
    call keep_bytes(c_loc(room), 4_c_size_t*size(room, kind=c_size_t))
  end subroutine keep_real4

  subroutine reserved_real4(room)
    real(4), pointer, contiguous, intent(out) :: room(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = reserved_bytes(bytes)
    call c_f_pointer(place, room, [bytes/4])
  end subroutine reserved_real4

  subroutine release_real4(room)
    real(4), pointer, contiguous, intent(inout) :: room(:)
    call release_bytes(c_loc(room))
    nullify (room)
  end subroutine release_real4

  subroutine reserve_real8(room, count)
    real(8), pointer, contiguous, intent(out) :: room(:)
    integer(4), intent(in) :: count
    call reserve(room, int(count, 8))
  end subroutine reserve_real8

  subroutine reserve_real8_long(room, count)
    real(8), pointer, contiguous, intent(out) :: room(:)
    integer(8), intent(in) :: count
    call c_f_pointer(reserve_bytes(8_c_size_t*max(count, 0_8)), room, [count])
  end subroutine reserve_real8_long

  subroutine keep_real8(room)
    real(8), pointer, contiguous, intent(in) :: room(:)
    call keep_bytes(c_loc(room), 8_c_size_t*size(room, kind=c_size_t))
  end subroutine keep_real8

  subroutine reserved_real8(room)
    real(8), pointer, contiguous, intent(out) :: room(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = reserved_bytes(bytes)
    call c_f_pointer(place, room, [bytes/8])
  end subroutine reserved_real8

  subroutine release_real8(room)
    real(8), pointer, contiguous, intent(inout) :: room(:)
    call release_bytes(c_loc(room))
    nullify (room)
  end subroutine release_real8

  subroutine reserve_complex4(room, count)
    complex(4), pointer, contiguous, intent(out) :: room(:)
    integer(4), intent(in) :: count
    call reserve(room, int(count, 8))
  end subroutine reserve_complex4

  subroutine reserve_complex4_long(room, count)
    complex(4), pointer, contiguous, intent(out) :: room(:)
    integer(8), intent(in) :: count
    call c_f_pointer(reserve_bytes(8_c_size_t*max(count, 0_8)), room, [count])
  end subroutine reserve_complex4_long

  subroutine keep_complex4(room)
    complex(4), pointer, contiguous, intent(in) :: room(:)
    call keep_bytes(c_loc(room), 8_c_size_t*size(room, kind=c_size_t))
  end subroutine keep_complex4

  subroutine reserved_complex4(room)
    complex(4), pointer, contiguous, intent(out) :: room(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = reserved_bytes(bytes)
    call c_f_pointer(place, room, [bytes/8])
  end subroutine reserved_complex4

  subroutine release_complex4(room)
    complex(4), pointer, contiguous, intent(inout) :: room(:)
    call release_bytes(c_loc(room))
    nullify (room)
  end subroutine release_complex4

  subroutine reserve_complex8(room, count)
    complex(8), pointer, contiguous, intent(out) :: room(:)
    integer(4), intent(in) :: count
    call reserve(room, int(count, 8))
  end subroutine reserve_complex8

  subroutine reserve_complex8_long(room, count)
    complex(8), pointer, contiguous, intent(out) :: room(:)
    integer(8), intent(in) :: count
    call c_f_pointer(reserve_bytes(16_c_size_t*max(count, 0_8)), room, [count])
  end subroutine reserve_complex8_long

  subroutine keep_complex8(room)
    complex(8), pointer, contiguous, intent(in) :: room(:)
    call keep_bytes(c_loc(room), 16_c_size_t*size(room, kind=c_size_t))
  end subroutine keep_complex8

  subroutine reserved_complex8(room)
    complex(8), pointer, contiguous, intent(out) :: room(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = reserved_bytes(bytes)
    call c_f_pointer(place, room, [bytes/16])
  end subroutine reserved_complex8

  subroutine release_complex8(room)
    complex(8), pointer, contiguous, intent(inout) :: room(:)
    call release_bytes(c_loc(room))
    nullify (room)
  end subroutine release_complex8

  subroutine reserve_logical4(room, count)
    logical(4), pointer, contiguous, intent(out) :: room(:)
    integer(4), intent(in) :: count
    call reserve(room, int(count, 8))
  end subroutine reserve_logical4

  subroutine reserve_logical4_long(room, count)
    logical(4), pointer, contiguous, intent(out) :: room(:)
    integer(8), intent(in) :: count
    call c_f_pointer(reserve_bytes(4_c_size_t*max(count, 0_8)), room, [count])
  end subroutine reserve_logical4_long

  subroutine keep_logical4(room)
    logical(4), pointer, contiguous, intent(in) :: room(:)
    call keep_bytes(c_loc(room), 4_c_size_t*size(room, kind=c_size_t))
  end subroutine keep_logical4

  subroutine reserved_logical4(room)
    logical(4), pointer, contiguous, intent(out) :: room(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = reserved_bytes(bytes)
    call c_f_pointer(place, room, [bytes/4])
  end subroutine reserved_logical4

  subroutine release_logical4(room)
    logical(4), pointer, contiguous, intent(inout) :: room(:)
    call release_bytes(c_loc(room))
    nullify (room)
  end subroutine release_logical4

end module oxad_tape
