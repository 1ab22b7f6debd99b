! What the drivers of `oxad check` share: reproducible numbers, and a file for the results.
module oxad_tools
  ! Not kind(1.0) and kind(1.0d0): compiler options may make them the same.
  use, intrinsic :: iso_fortran_env, only: r4 => real32, r8 => real64, i8 => int64
  implicit none
  private
  public :: oxad_begin, oxad_end, oxad_about, oxad_turn, oxad_draw, oxad_span, oxad_aim, oxad_moves, oxad_weigh, oxad_start, &
      oxad_label, oxad_put, oxad_shaped

  ! What is asked for: 'primal', 'tangent', 'adjoint', 'accumulate' or 'point'.
  character(len=:), allocatable, public, protected :: oxad_mode

  integer(i8) :: first, state
  integer :: unit
  ! How far the point moves, and along which direction if there are several.
  real(r8) :: step, moves
  integer :: chosen

  ! A number of the point, between 0.5 and 1.5.
  interface oxad_draw
    procedure draw_r4, draw_r8, draw_c4, draw_c8
  end interface oxad_draw

  ! The power of ten next to the size of a variable, 1 where that says nothing.
  interface oxad_span
    procedure span_r4, span_r8
  end interface oxad_span

  ! A number of the direction, between -1 and 1 in units of `span`; the point moves along it.
  interface oxad_aim
    procedure aim_r4, aim_r8, aim_c4, aim_c8
  end interface oxad_aim

  ! A number between -1 and 1: the adjoint of a result before the call.
  interface oxad_weigh
    procedure weigh_r4, weigh_r8, weigh_c4, weigh_c8
  end interface oxad_weigh

  ! Zero; but such a number where it is tested that adjoints accumulate.
  interface oxad_start
    procedure start_r4, start_r8, start_c4, start_c8
  end interface oxad_start

  ! Writes a result, one number a line.
  interface oxad_put
    procedure put_r4, put_r8, put_c4, put_c8, put_i
  end interface oxad_put

contains

  ! Reads the command line: MODE STEP FILE [K [SHAPES]].
  subroutine oxad_begin(seed)
    integer, intent(in) :: seed
    character(len=4096) :: word
    integer :: failed

    first = int(seed, i8)
    call get_command_argument(1, word)
    oxad_mode = trim(word)
    call get_command_argument(2, word)
    read (word, *, iostat=failed) step
    moves = step
    call get_command_argument(4, word)
    chosen = 1
    if (failed == 0 .and. len_trim(word) > 0) read (word, *, iostat=failed) chosen
    call get_command_argument(3, word)
    if (failed /= 0 .or. len_trim(word) == 0) then
      stop 'arguments: MODE STEP FILE [K [SHAPES]]; MODE: primal, point, tangent, adjoint, accumulate'
    end if
    open (newunit=unit, file=trim(word), status='replace', action='write')
  end subroutine oxad_begin

  ! Tells that the results are complete.
  subroutine oxad_end()
    write (unit, '(a)') '# end'
    close (unit)
  end subroutine oxad_end

  ! The numbers that follow are those of `name`, whatever was drawn before.
  subroutine oxad_about(name, number)
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: number
    integer :: i

    state = 1 + modulo(first*7919_i8, 2147483646_i8)
    do i = 1, len(name)
      state = 1 + modulo(48271_i8*state + iachar(name(i:i)), 2147483646_i8)
    end do
    if (present(number)) state = 1 + modulo(48271_i8*state + number, 2147483646_i8)
  end subroutine oxad_about

  ! Direction or variable k is next: the point moves along the chosen one only, or along all.
  subroutine oxad_turn(k)
    integer, intent(in) :: k

    moves = merge(step, 0.0_r8, k == chosen .or. chosen == 0)
  end subroutine oxad_turn

  ! Names the numbers that follow.
  subroutine oxad_label(name)
    character(len=*), intent(in) :: name

    write (unit, '(2a)') '# ', name
  end subroutine oxad_label

  ! Lower and upper bounds that the head gave `name`, as `primal` has written them to SHAPES; false where
  ! it was not allocated.
  logical function oxad_shaped(name, bounds)
    character(len=*), intent(in) :: name
    integer, intent(out) :: bounds(:)
    character(len=4096) :: line
    integer :: shapes, failed

    oxad_shaped = .false.
    call get_command_argument(5, line)
    open (newunit=shapes, file=trim(line), status='old', action='read', iostat=failed)
    if (failed /= 0) return
    do while (failed == 0 .and. .not. oxad_shaped)
      read (shapes, '(a)', iostat=failed) line
      oxad_shaped = failed == 0 .and. line == '# '//name//' bounds'
    end do
    if (oxad_shaped) read (shapes, *) bounds
    close (shapes)
  end function oxad_shaped

  ! The next number between 0 and 1 (Park and Miller's minimal standard generator).
  real(r8) function next()
    state = modulo(48271_i8*state, 2147483647_i8)
    next = real(state, r8)/2147483647.0_r8
  end function next

  impure elemental subroutine draw_r8(x)
    real(r8), intent(out) :: x

    x = 0.5_r8 + next()
  end subroutine draw_r8

  impure elemental subroutine draw_r4(x)
    real(r4), intent(out) :: x

    x = real(0.5_r8 + next(), r4)
  end subroutine draw_r4

  impure elemental subroutine draw_c8(x)
    complex(r8), intent(out) :: x
    real(r8) :: re, im

    call draw_r8(re)
    call draw_r8(im)
    x = cmplx(re, im, r8)
  end subroutine draw_c8

  impure elemental subroutine draw_c4(x)
    complex(r4), intent(out) :: x
    real(r4) :: re, im

    call draw_r4(re)
    call draw_r4(im)
    x = cmplx(re, im, r4)
  end subroutine draw_c4

  ! `size` is that of the largest element.
  real(r8) function span_r8(size) result(span)
    real(r8), intent(in) :: size

    span = 1
    if (size >= tiny(size) .and. size <= huge(size)) span = 10.0_r8**nint(log10(size))
  end function span_r8

  real(r8) function span_r4(size) result(span)
    real(r4), intent(in) :: size

    span = span_r8(real(size, r8))
  end function span_r4

  ! How far the point moves along a direction that is given.
  real(r8) function oxad_moves()
    oxad_moves = moves
  end function oxad_moves

  impure elemental subroutine aim_r8(x, xd, span)
    real(r8), intent(inout) :: x
    real(r8), intent(out) :: xd
    real(r8), intent(in) :: span

    xd = span*(2.0_r8*next() - 1.0_r8)
    x = x + moves*xd
  end subroutine aim_r8

  impure elemental subroutine aim_r4(x, xd, span)
    real(r4), intent(inout) :: x
    real(r4), intent(out) :: xd
    real(r8), intent(in) :: span

    xd = real(span*(2.0_r8*next() - 1.0_r8), r4)
    x = x + real(moves, r4)*xd
  end subroutine aim_r4

  impure elemental subroutine aim_c8(x, xd, span)
    complex(r8), intent(inout) :: x
    complex(r8), intent(out) :: xd
    real(r8), intent(in) :: span
    real(r8) :: re, im

    re = span*(2.0_r8*next() - 1.0_r8)
    im = span*(2.0_r8*next() - 1.0_r8)
    xd = cmplx(re, im, r8)
    x = x + moves*xd
  end subroutine aim_c8

  impure elemental subroutine aim_c4(x, xd, span)
    complex(r4), intent(inout) :: x
    complex(r4), intent(out) :: xd
    real(r8), intent(in) :: span
    complex(r8) :: wide, direction

    wide = x
    call aim_c8(wide, direction, span)
    xd = cmplx(direction, kind=r4)
    x = x + real(moves, r4)*xd
  end subroutine aim_c4

  impure elemental subroutine weigh_r8(xb)
    real(r8), intent(out) :: xb

    xb = 2.0_r8*next() - 1.0_r8
  end subroutine weigh_r8

  impure elemental subroutine weigh_r4(xb)
    real(r4), intent(out) :: xb

    xb = real(2.0_r8*next() - 1.0_r8, r4)
  end subroutine weigh_r4

  impure elemental subroutine weigh_c8(xb)
    complex(r8), intent(out) :: xb
    real(r8) :: re, im

    call weigh_r8(re)
    call weigh_r8(im)
    xb = cmplx(re, im, r8)
  end subroutine weigh_c8

  impure elemental subroutine weigh_c4(xb)
    complex(r4), intent(out) :: xb
    complex(r8) :: wide

    call weigh_c8(wide)
    xb = cmplx(wide, kind=r4)
  end subroutine weigh_c4

  impure elemental subroutine start_r8(xb)
    real(r8), intent(out) :: xb

    call weigh_r8(xb)
    if (oxad_mode == 'adjoint' .or. oxad_mode == 'primal') xb = 0
  end subroutine start_r8

  impure elemental subroutine start_r4(xb)
    real(r4), intent(out) :: xb

    call weigh_r4(xb)
    if (oxad_mode == 'adjoint' .or. oxad_mode == 'primal') xb = 0
  end subroutine start_r4

  impure elemental subroutine start_c8(xb)
    complex(r8), intent(out) :: xb

    call weigh_c8(xb)
    if (oxad_mode == 'adjoint' .or. oxad_mode == 'primal') xb = 0
  end subroutine start_c8

  impure elemental subroutine start_c4(xb)
    complex(r4), intent(out) :: xb

    call weigh_c4(xb)
    if (oxad_mode == 'adjoint' .or. oxad_mode == 'primal') xb = 0
  end subroutine start_c4

  impure elemental subroutine put_i(y)
    integer, intent(in) :: y

    write (unit, '(i0)') y
  end subroutine put_i

  impure elemental subroutine put_r8(y)
    real(r8), intent(in) :: y

    write (unit, '(es25.17e3)') y
  end subroutine put_r8

  impure elemental subroutine put_r4(y)
    real(r4), intent(in) :: y

    call put_r8(real(y, r8))
  end subroutine put_r4

  impure elemental subroutine put_c8(y)
    complex(r8), intent(in) :: y

    call put_r8(real(y))
    call put_r8(aimag(y))
  end subroutine put_c8

  impure elemental subroutine put_c4(y)
    complex(r4), intent(in) :: y

    call put_c8(cmplx(y, kind=r8))
  end subroutine put_c4

end module oxad_tools
