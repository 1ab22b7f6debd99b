! flags: -DORDER=3 -DUSE_FAST
! f2xaif: -DORDER=3 -DUSE_FAST
#define SQUARE(x) ((x)*(x))
#ifndef ORDER
#define ORDER 1
#endif
program preprocessed
  implicit none
  integer, parameter :: order = ORDER
  real :: a(ORDER)
  integer :: i
#ifdef USE_FAST
  do i = 1, order
    a(i) = SQUARE(real(i))
  end do
#else
  a = 0.0
#endif
#if ORDER > 2 && defined(USE_FAST)
  print *, 'high order', a
#else
  print *, 'low order', a
#endif
end program preprocessed
