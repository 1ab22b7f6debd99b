C flags: -std=legacy
      PROGRAM EQCOM
      COMMON /BLK/ A(4)
      REAL V(6)
      EQUIVALENCE (A(1), V(1))
      DO 10 I = 1, 6
   10 V(I) = I
      CALL LOOK
      WRITE (*,*) A
      END
      SUBROUTINE LOOK
      COMMON /BLK/ W(6)
      WRITE (*,*) W
      W(2) = W(6)
      END
