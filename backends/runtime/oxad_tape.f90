! The tape as Fortran sees it: what the forward sweep of an adjoint pushes, the backward sweep pops.
!
! push and pop take one value of an intrinsic type, of 1, 2, 4 or 8 bytes (complex: a part) or a
! character of any length; push_array and pop_array take an array or section of numbers that is
! contiguous; push_section and pop_section anything else: a section or array of any type and rank,
! also a scalar of another kind or type.
! What was pushed last is popped first. block_alloc gives block for all that a counted loop records, so
! that the compiler can vectorise the loop. The work is done by oxad_tape_chunks.c, which has a tape for
! each thread.
module oxad_tape
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_f_pointer, c_float, c_int32_t, &
      c_int64_t, c_loc, c_ptr, c_size_t
  implicit none
  private
  public :: push, pop, push_array, pop_array, push_section, pop_section
  public :: block_alloc, block_push, block_pop, block_free
  public :: checkpoints_binomial, checkpoints_periodic, checkpoints_disk
  public :: checkpoint_due, checkpoint_next, checkpoint_end
  public :: checkpoints_advanced, checkpoints_turned
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

  ! Contiguous block for what a counted loop records, aligned for vector instructions: `block_alloc`
  ! before the loop, which indexes it by its counter; `block_push` behind the loop. Backward, `block_pop`
  ! finds it again, `block_free` gives it back. Measured with gfortran 12 on a loop that records two
  ! values a round and takes them back: push and pop 10 ns a round, the loop is not vectorised;
  ! block behind a contiguous pointer 1.4 ns, vectorised, the same as an internal procedure to
  ! which the block is passed with explicit shape (-O3 -march=native; at -O2, where gfortran
  ! vectorises less, 6.5 and 3 ns). One block for each row of a nest costs no more than one for
  ! the whole nest.
  interface block_alloc
    module procedure block_alloc_integer4, block_alloc_integer4_long, block_alloc_integer8
    module procedure block_alloc_integer8_long, block_alloc_real4, block_alloc_real4_long, block_alloc_real8
    module procedure block_alloc_real8_long, block_alloc_complex4, block_alloc_complex4_long, block_alloc_complex8
    module procedure block_alloc_complex8_long, block_alloc_logical4, block_alloc_logical4_long
  end interface block_alloc
  interface block_push
    module procedure block_push_integer4, block_push_integer8, block_push_real4, block_push_real8, block_push_complex4
    module procedure block_push_complex8, block_push_logical4
  end interface block_push
  interface block_pop
    module procedure block_pop_integer4, block_pop_integer8, block_pop_real4, block_pop_real8
    module procedure block_pop_complex4, block_pop_complex8, block_pop_logical4
  end interface block_pop
  interface block_free
    module procedure block_free_integer4, block_free_integer8, block_free_real4, block_free_real8
    module procedure block_free_complex4, block_free_complex8, block_free_logical4
  end interface block_free

  ! Checkpoints of a loop: `checkpoints_binomial(number, trip_count)` before the loop; the number may be the name of an
  ! environment variable, and a trip count less than 0 is not known. `checkpoint_due` as an iteration begins; behind
  ! action 1 the program pushes the state and calls `checkpoint_end`. Backward, `checkpoint_next` tells the next action: push the
  ! state (1) or pop it (2), then `checkpoint_end`; execute the iteration (3); reverse it (4); nothing is left (0).
  interface checkpoints_binomial
    module procedure binomial_number, binomial_named
  end interface checkpoints_binomial
  interface checkpoints_periodic
    module procedure periodic_number, periodic_named
  end interface checkpoints_periodic
  interface checkpoints_disk
    module procedure disk_number, disk_named
  end interface checkpoints_disk
  interface checkpoint_due
    module procedure checkpoint_due_integer4, checkpoint_due_integer8
  end interface checkpoint_due
  interface checkpoint_next
    module procedure checkpoint_next_integer4, checkpoint_next_integer8
  end interface checkpoint_next

  interface
    subroutine checkpoints_begin(scheme, number, trip_count) bind(c, name="oxad_checkpoints_begin")
      import :: c_int32_t, c_int64_t
      integer(c_int32_t), value :: scheme
      integer(c_int64_t), value :: number, trip_count
    end subroutine checkpoints_begin
    integer(c_int64_t) function checkpoints_of(name, length) bind(c, name="oxad_checkpoints_of")
      import :: c_char, c_int64_t, c_size_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t), value :: length
    end function checkpoints_of
    integer(c_int32_t) function due(variable) bind(c, name="oxad_checkpoint_due")
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), value :: variable
    end function due
    integer(c_int32_t) function next(variable) bind(c, name="oxad_checkpoint_next")
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), intent(inout) :: variable
    end function next
    ! A snapshot is written or read.
    subroutine checkpoint_end() bind(c, name="oxad_checkpoint_end")
    end subroutine checkpoint_end
    ! How many iterations backward sweeps have executed again, and how many they have reversed.
    integer(c_int64_t) function checkpoints_advanced() bind(c, name="oxad_checkpoints_advanced")
      import :: c_int64_t
    end function checkpoints_advanced
    integer(c_int64_t) function checkpoints_turned() bind(c, name="oxad_checkpoints_turned")
      import :: c_int64_t
    end function checkpoints_turned
  end interface

  interface
    subroutine push_described(values) bind(c, name="oxad_push_array")
      type(*), dimension(..), intent(in) :: values
    end subroutine push_described
    subroutine pop_described(values) bind(c, name="oxad_pop_array")
      type(*), dimension(..), intent(inout) :: values
    end subroutine pop_described

    type(c_ptr) function block_alloc_bytes(bytes) bind(c, name="oxad_block_alloc")
      import :: c_ptr, c_size_t
      integer(c_size_t), value :: bytes
    end function block_alloc_bytes
    subroutine block_push_bytes(block, bytes) bind(c, name="oxad_block_push")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: block
      integer(c_size_t), value :: bytes
    end subroutine block_push_bytes
    type(c_ptr) function block_pop_bytes(bytes) bind(c, name="oxad_block_pop")
      import :: c_ptr, c_size_t
      integer(c_size_t), intent(out) :: bytes
    end function block_pop_bytes
    subroutine block_free_bytes(block) bind(c, name="oxad_block_free")
      import :: c_ptr
      type(c_ptr), value :: block
    end subroutine block_free_bytes

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
    subroutine push_memory(values, bytes) bind(c, name="oxad_push_memory")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: values
      integer(c_size_t), value :: bytes
    end subroutine push_memory
    subroutine pop_memory(values, bytes) bind(c, name="oxad_pop_memory")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: values
      integer(c_size_t), value :: bytes
    end subroutine pop_memory
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

  subroutine binomial_number(number, trip_count)
    integer, intent(in) :: number, trip_count
    call checkpoints_begin(0, int(number, c_int64_t), int(trip_count, c_int64_t))
  end subroutine binomial_number

  subroutine binomial_named(name, trip_count)
    character(*), intent(in) :: name
    integer, intent(in) :: trip_count
    call checkpoints_begin(0, checkpoints_of(name, len(name, c_size_t)), int(trip_count, c_int64_t))
  end subroutine binomial_named

  subroutine periodic_number(number, trip_count)
    integer, intent(in) :: number, trip_count
    call checkpoints_begin(1, int(number, c_int64_t), int(trip_count, c_int64_t))
  end subroutine periodic_number

  subroutine periodic_named(name, trip_count)
    character(*), intent(in) :: name
    integer, intent(in) :: trip_count
    call checkpoints_begin(1, checkpoints_of(name, len(name, c_size_t)), int(trip_count, c_int64_t))
  end subroutine periodic_named

  subroutine disk_number(number, trip_count)
    integer, intent(in) :: number, trip_count
    call checkpoints_begin(2, int(number, c_int64_t), int(trip_count, c_int64_t))
  end subroutine disk_number

  subroutine disk_named(name, trip_count)
    character(*), intent(in) :: name
    integer, intent(in) :: trip_count
    call checkpoints_begin(2, checkpoints_of(name, len(name, c_size_t)), int(trip_count, c_int64_t))
  end subroutine disk_named

  subroutine checkpoint_due_integer4(variable, action)
    integer(4), intent(in) :: variable
    integer, intent(out) :: action
    action = due(int(variable, c_int64_t))
  end subroutine checkpoint_due_integer4

  subroutine checkpoint_next_integer4(variable, action)
    integer(4), intent(out) :: variable
    integer, intent(out) :: action
    integer(c_int64_t) :: value
    value = 0
    action = next(value)
    variable = int(value, 4)
  end subroutine checkpoint_next_integer4

  subroutine checkpoint_due_integer8(variable, action)
    integer(8), intent(in) :: variable
    integer, intent(out) :: action
    action = due(int(variable, c_int64_t))
  end subroutine checkpoint_due_integer8

  subroutine checkpoint_next_integer8(variable, action)
    integer(8), intent(out) :: variable
    integer, intent(out) :: action
    integer(c_int64_t) :: value
    value = 0
    action = next(value)
    variable = int(value, 8)
  end subroutine checkpoint_next_integer8

  subroutine push_array_integer4(values)
    integer(4), dimension(..), contiguous, target, intent(in) :: values
    call push_memory(c_loc(values), 4_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_integer4

  subroutine pop_array_integer4(values)
    integer(4), dimension(..), contiguous, target, intent(inout) :: values
    call pop_memory(c_loc(values), 4_c_size_t*size(values, kind=c_size_t))
  end subroutine pop_array_integer4

  subroutine push_array_integer8(values)
    integer(8), dimension(..), contiguous, target, intent(in) :: values
    call push_memory(c_loc(values), 8_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_integer8

  subroutine pop_array_integer8(values)
    integer(8), dimension(..), contiguous, target, intent(inout) :: values
    call pop_memory(c_loc(values), 8_c_size_t*size(values, kind=c_size_t))
  end subroutine pop_array_integer8

  subroutine push_array_real4(values)
    real(4), dimension(..), contiguous, target, intent(in) :: values
    call push_memory(c_loc(values), 4_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_real4

  subroutine pop_array_real4(values)
    real(4), dimension(..), contiguous, target, intent(inout) :: values
    call pop_memory(c_loc(values), 4_c_size_t*size(values, kind=c_size_t))
  end subroutine pop_array_real4

  subroutine push_array_real8(values)
    real(8), dimension(..), contiguous, target, intent(in) :: values
    call push_memory(c_loc(values), 8_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_real8

  subroutine pop_array_real8(values)
    real(8), dimension(..), contiguous, target, intent(inout) :: values
    call pop_memory(c_loc(values), 8_c_size_t*size(values, kind=c_size_t))
  end subroutine pop_array_real8

  subroutine push_array_complex4(values)
    complex(4), dimension(..), contiguous, target, intent(in) :: values
    call push_memory(c_loc(values), 8_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_complex4

  subroutine pop_array_complex4(values)
    complex(4), dimension(..), contiguous, target, intent(inout) :: values
    call pop_memory(c_loc(values), 8_c_size_t*size(values, kind=c_size_t))
  end subroutine pop_array_complex4

  subroutine push_array_complex8(values)
    complex(8), dimension(..), contiguous, target, intent(in) :: values
    call push_memory(c_loc(values), 16_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_complex8

  subroutine pop_array_complex8(values)
    complex(8), dimension(..), contiguous, target, intent(inout) :: values
    call pop_memory(c_loc(values), 16_c_size_t*size(values, kind=c_size_t))
  end subroutine pop_array_complex8

  subroutine push_array_logical4(values)
    logical(4), dimension(..), contiguous, target, intent(in) :: values
    call push_memory(c_loc(values), 4_c_size_t*size(values, kind=c_size_t))
  end subroutine push_array_logical4

  subroutine pop_array_logical4(values)
    logical(4), dimension(..), contiguous, target, intent(inout) :: values
    call pop_memory(c_loc(values), 4_c_size_t*size(values, kind=c_size_t))
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

  subroutine block_alloc_integer4(block, count)
    integer(4), pointer, contiguous, intent(out) :: block(:)
    integer(4), intent(in) :: count
    call block_alloc(block, int(count, 8))
  end subroutine block_alloc_integer4

  subroutine block_alloc_integer4_long(block, count)
    integer(4), pointer, contiguous, intent(out) :: block(:)
    integer(8), intent(in) :: count
    call c_f_pointer(block_alloc_bytes(4_c_size_t*max(count, 0_8)), block, [max(count, 0_8)])
  end subroutine block_alloc_integer4_long

  subroutine block_push_integer4(block)
    integer(4), pointer, contiguous, intent(in) :: block(:)
    call block_push_bytes(c_loc(block), 4_c_size_t*size(block, kind=c_size_t))
  end subroutine block_push_integer4

  subroutine block_pop_integer4(block)
    integer(4), pointer, contiguous, intent(out) :: block(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = block_pop_bytes(bytes)
    call c_f_pointer(place, block, [bytes/4])
  end subroutine block_pop_integer4

  subroutine block_free_integer4(block)
    integer(4), pointer, contiguous, intent(inout) :: block(:)
    call block_free_bytes(c_loc(block))
    nullify (block)
  end subroutine block_free_integer4

  subroutine block_alloc_integer8(block, count)
    integer(8), pointer, contiguous, intent(out) :: block(:)
    integer(4), intent(in) :: count
    call block_alloc(block, int(count, 8))
  end subroutine block_alloc_integer8

  subroutine block_alloc_integer8_long(block, count)
    integer(8), pointer, contiguous, intent(out) :: block(:)
    integer(8), intent(in) :: count
    call c_f_pointer(block_alloc_bytes(8_c_size_t*max(count, 0_8)), block, [count])
  end subroutine block_alloc_integer8_long

  subroutine block_push_integer8(block)
    integer(8), pointer, contiguous, intent(in) :: block(:)
    call block_push_bytes(c_loc(block), 8_c_size_t*size(block, kind=c_size_t))
  end subroutine block_push_integer8

  subroutine block_pop_integer8(block)
    integer(8), pointer, contiguous, intent(out) :: block(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = block_pop_bytes(bytes)
    call c_f_pointer(place, block, [bytes/8])
  end subroutine block_pop_integer8

  subroutine block_free_integer8(block)
    integer(8), pointer, contiguous, intent(inout) :: block(:)
    call block_free_bytes(c_loc(block))
    nullify (block)
  end subroutine block_free_integer8

  subroutine block_alloc_real4(block, count)
    real(4), pointer, contiguous, intent(out) :: block(:)
    integer(4), intent(in) :: count
    call block_alloc(block, int(count, 8))
  end subroutine block_alloc_real4

  subroutine block_alloc_real4_long(block, count)
    real(4), pointer, contiguous, intent(out) :: block(:)
    integer(8), intent(in) :: count
    call c_f_pointer(block_alloc_bytes(4_c_size_t*max(count, 0_8)), block, [count])
  end subroutine block_alloc_real4_long

  subroutine block_push_real4(block)
    real(4), pointer, contiguous, intent(in) :: block(:)
    call block_push_bytes(c_loc(block), 4_c_size_t*size(block, kind=c_size_t))
  end subroutine block_push_real4

  subroutine block_pop_real4(block)
    real(4), pointer, contiguous, intent(out) :: block(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = block_pop_bytes(bytes)
    call c_f_pointer(place, block, [bytes/4])
  end subroutine block_pop_real4

  subroutine block_free_real4(block)
    real(4), pointer, contiguous, intent(inout) :: block(:)
    call block_free_bytes(c_loc(block))
    nullify (block)
  end subroutine block_free_real4

  subroutine block_alloc_real8(block, count)
    real(8), pointer, contiguous, intent(out) :: block(:)
    integer(4), intent(in) :: count
    call block_alloc(block, int(count, 8))
  end subroutine block_alloc_real8

  subroutine block_alloc_real8_long(block, count)
    real(8), pointer, contiguous, intent(out) :: block(:)
    integer(8), intent(in) :: count
    call c_f_pointer(block_alloc_bytes(8_c_size_t*max(count, 0_8)), block, [count])
  end subroutine block_alloc_real8_long

  subroutine block_push_real8(block)
    real(8), pointer, contiguous, intent(in) :: block(:)
    call block_push_bytes(c_loc(block), 8_c_size_t*size(block, kind=c_size_t))
  end subroutine block_push_real8

  subroutine block_pop_real8(block)
    real(8), pointer, contiguous, intent(out) :: block(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = block_pop_bytes(bytes)
    call c_f_pointer(place, block, [bytes/8])
  end subroutine block_pop_real8

  subroutine block_free_real8(block)
    real(8), pointer, contiguous, intent(inout) :: block(:)
    call block_free_bytes(c_loc(block))
    nullify (block)
  end subroutine block_free_real8

  subroutine block_alloc_complex4(block, count)
    complex(4), pointer, contiguous, intent(out) :: block(:)
    integer(4), intent(in) :: count
    call block_alloc(block, int(count, 8))
  end subroutine block_alloc_complex4

  subroutine block_alloc_complex4_long(block, count)
    complex(4), pointer, contiguous, intent(out) :: block(:)
    integer(8), intent(in) :: count
    call c_f_pointer(block_alloc_bytes(8_c_size_t*max(count, 0_8)), block, [count])
  end subroutine block_alloc_complex4_long

  subroutine block_push_complex4(block)
    complex(4), pointer, contiguous, intent(in) :: block(:)
    call block_push_bytes(c_loc(block), 8_c_size_t*size(block, kind=c_size_t))
  end subroutine block_push_complex4

  subroutine block_pop_complex4(block)
    complex(4), pointer, contiguous, intent(out) :: block(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = block_pop_bytes(bytes)
    call c_f_pointer(place, block, [bytes/8])
  end subroutine block_pop_complex4

  subroutine block_free_complex4(block)
    complex(4), pointer, contiguous, intent(inout) :: block(:)
    call block_free_bytes(c_loc(block))
    nullify (block)
  end subroutine block_free_complex4

  subroutine block_alloc_complex8(block, count)
    complex(8), pointer, contiguous, intent(out) :: block(:)
    integer(4), intent(in) :: count
    call block_alloc(block, int(count, 8))
  end subroutine block_alloc_complex8

  subroutine block_alloc_complex8_long(block, count)
    complex(8), pointer, contiguous, intent(out) :: block(:)
    integer(8), intent(in) :: count
    call c_f_pointer(block_alloc_bytes(16_c_size_t*max(count, 0_8)), block, [count])
  end subroutine block_alloc_complex8_long

  subroutine block_push_complex8(block)
    complex(8), pointer, contiguous, intent(in) :: block(:)
    call block_push_bytes(c_loc(block), 16_c_size_t*size(block, kind=c_size_t))
  end subroutine block_push_complex8

  subroutine block_pop_complex8(block)
    complex(8), pointer, contiguous, intent(out) :: block(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = block_pop_bytes(bytes)
    call c_f_pointer(place, block, [bytes/16])
  end subroutine block_pop_complex8

  subroutine block_free_complex8(block)
    complex(8), pointer, contiguous, intent(inout) :: block(:)
    call block_free_bytes(c_loc(block))
    nullify (block)
  end subroutine block_free_complex8

  subroutine block_alloc_logical4(block, count)
    logical(4), pointer, contiguous, intent(out) :: block(:)
    integer(4), intent(in) :: count
    call block_alloc(block, int(count, 8))
  end subroutine block_alloc_logical4

  subroutine block_alloc_logical4_long(block, count)
    logical(4), pointer, contiguous, intent(out) :: block(:)
    integer(8), intent(in) :: count
    call c_f_pointer(block_alloc_bytes(4_c_size_t*max(count, 0_8)), block, [count])
  end subroutine block_alloc_logical4_long

  subroutine block_push_logical4(block)
    logical(4), pointer, contiguous, intent(in) :: block(:)
    call block_push_bytes(c_loc(block), 4_c_size_t*size(block, kind=c_size_t))
  end subroutine block_push_logical4

  subroutine block_pop_logical4(block)
    logical(4), pointer, contiguous, intent(out) :: block(:)
    integer(c_size_t) :: bytes
    type(c_ptr) :: place
    place = block_pop_bytes(bytes)
    call c_f_pointer(place, block, [bytes/4])
  end subroutine block_pop_logical4

  subroutine block_free_logical4(block)
    logical(4), pointer, contiguous, intent(inout) :: block(:)
    call block_free_bytes(c_loc(block))
    nullify (block)
  end subroutine block_free_logical4

end module oxad_tape
