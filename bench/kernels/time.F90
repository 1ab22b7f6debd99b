! Times one kernel, its adjoint by hand or a generated one; -D options say which:
!
!   KERNEL_name (KERNEL_bratu, …)   which kernel
!   PRIMAL=name                     the procedure of the kernel
!   HAND=name or ADJOINT=name       the procedure of the adjoint, by hand or generated
!
! Arguments: the grid (nx; for bratu, box and cholesky n), the number of time steps (for cholesky the
! width of a block), a file for the gradient. Prints the
! seconds of one call (the least of ten batches), the most bytes that were on the tape, and how
! many pushes there were in a call (where the tape is compiled to count them, else 0).
program time
  use, intrinsic :: iso_fortran_env, only: i8 => int64
#ifdef ADJOINT
  use oxad_tape, only: tape_peak, tape_pushes
#endif
  implicit none
  integer :: nx, nt, unit
  integer(i8) :: pushes, peak
  character(len=1000) :: word
#ifdef KERNEL_bratu
  real(8), allocatable :: x(:), xb(:), f(:), fb(:), ones(:)
#elif defined(KERNEL_box)
  real(8), allocatable :: t0(:), s0(:), t0b(:), s0b(:)
  real(8) :: cost, costb
#elif defined(KERNEL_cholesky)
  real(8), allocatable :: a(:, :), ab(:, :), start(:, :)
#else
  real(8), allocatable :: h0(:, :), u0(:, :), v0(:, :), h0b(:, :), u0b(:, :), v0b(:, :)
  real(8) :: cost, costb
#endif

  call get_command_argument(1, word)
  read (word, *) nx
  call get_command_argument(2, word)
  read (word, *) nt
  call point
  call once
  pushes = 0
  peak = 0
#ifdef ADJOINT
  pushes = tape_pushes()
  peak = tape_peak()
#endif
  print '(es12.5, 2(1x, i0))', seconds(), peak, pushes
  call get_command_argument(3, word)
  if (len_trim(word) > 0) then
    open (newunit=unit, file=trim(word), access='stream', status='replace')
#if defined(KERNEL_bratu)
    write (unit) xb
#elif defined(KERNEL_box)
    write (unit) t0b, s0b
#elif defined(KERNEL_cholesky)
    call lower
    write (unit) ab
#elif defined(KERNEL_heat2d)
    write (unit) u0b
#elif defined(KERNEL_burgers)
    write (unit) u0b, v0b
#else
    write (unit) h0b, u0b, v0b
#endif
    close (unit)
  end if

contains

  subroutine point
    integer :: i, j
#ifdef KERNEL_bratu
    allocate (x(nx), xb(nx), f(nx), fb(nx), ones(nx))
    do i = 1, nx
      x(i) = sin(0.37d0*i)
      ones(i) = 1 + 0.5d0*cos(0.11d0*i)
    end do
    j = nt
    xb = 0
#elif defined(KERNEL_box)
    allocate (t0(nx), s0(nx), t0b(nx), s0b(nx))
    do i = 1, nx
      t0(i) = 10 + 5*cos(1d0*i)
      s0(i) = 1 + 0.2d0*sin(2d0*i)
    end do
    j = nt
    t0b = 0
    s0b = 0
#elif defined(KERNEL_cholesky)
    allocate (a(nx, nx), ab(nx, nx), start(nx, nx))
    do j = 1, nx
      do i = 1, nx
        start(i, j) = cos(0.1d0*abs(i - j))/(1 + abs(i - j)) + merge(2d0*nx, 0d0, i == j)
      end do
    end do
    ab = 0
#else
    allocate (h0(nx, nx), u0(nx, nx), v0(nx, nx), h0b(nx, nx), u0b(nx, nx), v0b(nx, nx))
    do j = 1, nx
      do i = 1, nx
        h0(i, j) = 1 + 0.1d0*sin(0.2d0*i)*cos(0.3d0*j)
        u0(i, j) = 0.1d0*cos(0.1d0*i + 0.2d0*j)
        v0(i, j) = 0.1d0*sin(0.3d0*i - 0.1d0*j)
      end do
    end do
    h0b = 0
    u0b = 0
    v0b = 0
#endif
  end subroutine point

  ! One call.
  subroutine once
    external :: PRIMAL
#if defined(KERNEL_bratu)
#if defined(HAND)
    external :: HAND
    fb = ones
    call HAND(nx, 1d0, 0.1d0, x, xb, fb)
#elif defined(ADJOINT)
    external :: ADJOINT
    fb = ones
    xb = 0
    call ADJOINT(nx, 1d0, 0.1d0, x, xb, f, fb)
#else
    call PRIMAL(nx, 1d0, 0.1d0, x, f)
#endif
#elif defined(KERNEL_box)
#if defined(HAND)
    external :: HAND
    call HAND(nx, nt, 0.01d0, t0, s0, t0b, s0b)
#elif defined(ADJOINT)
    external :: ADJOINT
    costb = 1
    t0b = 0
    s0b = 0
    call ADJOINT(nx, nt, 0.01d0, t0, t0b, s0, s0b, cost, costb)
#else
    call PRIMAL(nx, nt, 0.01d0, t0, s0, cost)
#endif
#elif defined(KERNEL_cholesky)
#if defined(HAND)
    external :: HAND
    a = start
    ab = 1
    call HAND(nx, nt, a, ab)
#elif defined(ADJOINT)
    external :: ADJOINT
    a = start
    ab = 1
    call ADJOINT(nx, nt, a, ab)
#else
    a = start
    call PRIMAL(nx, nt, a)
#endif
#elif defined(KERNEL_heat2d)
#if defined(HAND)
    external :: HAND
    call HAND(nx, nx, nt, 0.1d0, u0, u0b)
#elif defined(ADJOINT)
    external :: ADJOINT
    costb = 1
    u0b = 0
    call ADJOINT(nx, nx, nt, 0.1d0, u0, u0b, cost, costb)
#else
    call PRIMAL(nx, nx, nt, 0.1d0, u0, cost)
#endif
#elif defined(KERNEL_burgers)
#if defined(HAND)
    external :: HAND
    call HAND(nx, nx, nt, 0.05d0, 0.1d0, u0, v0, u0b, v0b)
#elif defined(ADJOINT)
    external :: ADJOINT
    costb = 1
    u0b = 0
    v0b = 0
    call ADJOINT(nx, nx, nt, 0.05d0, 0.1d0, u0, u0b, v0, v0b, cost, costb)
#else
    call PRIMAL(nx, nx, nt, 0.05d0, 0.1d0, u0, v0, cost)
#endif
#else
#if defined(HAND)
    external :: HAND
    call HAND(nx, nx, nt, 0.05d0, 0.1d0, 1d0, 0.01d0, h0, u0, v0, h0b, u0b, v0b)
#elif defined(ADJOINT)
    external :: ADJOINT
    costb = 1
    h0b = 0
    u0b = 0
    v0b = 0
    call ADJOINT(nx, nx, nt, 0.05d0, 0.1d0, 1d0, 0.01d0, h0, h0b, u0, u0b, v0, v0b, cost, costb)
#else
    call PRIMAL(nx, nx, nt, 0.05d0, 0.1d0, 1d0, 0.01d0, h0, u0, v0, cost)
#endif
#endif
  end subroutine once

#ifdef KERNEL_cholesky
  ! The strict upper triangle takes no part.
  subroutine lower
    integer :: j
    do j = 2, nx
      ab(:j-1, j) = 0
    end do
  end subroutine lower

#endif
  ! Processor time of one call, which other programs on the machine disturb less than the clock on the
  ! wall: the least of ten batches that are long enough to be measured.
  real(8) function seconds()
    real(8) :: before, after
    integer :: calls, batch, k
    calls = 1
    do
      call cpu_time(before)
      do k = 1, calls
        call once
      end do
      call cpu_time(after)
      if (after - before > 0.02d0) exit
      calls = 2*calls
    end do
    seconds = huge(seconds)
    do batch = 1, 10
      call cpu_time(before)
      do k = 1, calls
        call once
      end do
      call cpu_time(after)
      seconds = min(seconds, (after - before)/calls)
    end do
  end function seconds

end program time
