C flags: -std=legacy
      PROGRAM SHAPES
      REAL A(2,3)
      INTEGER K
      COMMON /WORK/ A, K
      DO 10 J = 1, 3
      DO 10 I = 1, 2
   10 A(I,J) = 10*I + J
      K = 3
      CALL FLAT
      CALL PARTS
      WRITE (*,*) A, K
      END
      SUBROUTINE FLAT
      COMMON /WORK/ B(6), N
      DO 20 I = 1, 6
   20 B(I) = B(I)/N
      END
      SUBROUTINE PARTS
      COMMON /WORK/ P, Q(4), R, I
      P = P + R
      Q(2) = Q(1) - Q(4)
      I = I + 1
      END
