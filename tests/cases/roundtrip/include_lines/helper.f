      SUBROUTINE STEP
      INCLUDE 'sizes.inc'
      INCLUDE 'state.inc'
      DO 10 I = 2, N
   10 U(I) = U(I) + U(I-1)
      T = T + 1.0
      END

      BLOCK DATA
      INCLUDE 'sizes.inc'
      INCLUDE 'state.inc'
      DATA T /10.0/
      END
