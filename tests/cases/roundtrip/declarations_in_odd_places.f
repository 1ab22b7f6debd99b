C flags: -std=legacy
      SUBROUTINE ODD(N, S, T, L)
      COMMON // W(2)
      INTEGER N
      CHARACTER S*(*), T*4, U*3
   10 FORMAT (1X, A, 1X, A, 1X, I3, L2)
      LOGICAL L
      DIMENSION K(3)
      U = S
      DATA K /1, 2, 3/
      W(1) = K(N)
      WRITE (*, 10) S, U // T, K(N), L
      W(2) = 1.0
      END
      PROGRAM MAIN
      COMMON W(2)
      EXTERNAL ODD
      CALL ODD(2, 'abc', 'wxyz', .TRUE.)
      WRITE (*,*) W
      END
