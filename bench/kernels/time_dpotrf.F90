! Times LAPACK's dpotrf (Cholesky factors of a symmetric matrix) or, with -DADJOINT=name, its adjoint.
! Arguments: the order of the matrix, a file for the gradient. Prints what time.F90 prints.
program time_dpotrf
  use, intrinsic :: iso_fortran_env, only: i8 => int64
#ifdef ADJOINT
  use oxad_tape, only: tape_peak, tape_pushes
#endif
  implicit none
  integer :: n, info, unit, i, j
  integer(i8) :: pushes, peak
  character(len=1000) :: word
  real(8), allocatable :: a(:, :), ab(:, :), start(:, :)

  call get_command_argument(1, word)
  read (word, *) n
  allocate (a(n, n), ab(n, n), start(n, n))
  do j = 1, n
    do i = 1, n
      start(i, j) = cos(0.1d0*abs(i - j))/(1 + abs(i - j)) + merge(2d0*n, 0d0, i == j)
    end do
  end do
  ab = 0
  call once
  pushes = 0
  peak = 0
#ifdef ADJOINT
  pushes = tape_pushes()
  peak = tape_peak()
#endif
  print '(es12.5, 2(1x, i0))', seconds(), peak, pushes
  call get_command_argument(2, word)
  if (len_trim(word) > 0) then
    open (newunit=unit, file=trim(word), access='stream', status='replace')
    write (unit) ab
    close (unit)
  end if

contains

  subroutine once
#ifdef ADJOINT
    external :: ADJOINT
    a = start
    ab = 1
    call ADJOINT('L', n, a, ab, n, info)
#else
    external :: dpotrf
    a = start
    call dpotrf('L', n, a, n, info)
#endif
  end subroutine once

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

end program time_dpotrf
