C flags: -std=legacy -Wno-intrinsic-shadow
      PROGRAM SHADOW
      REAL MAX(3), SUM
      INTEGER ABS
      EXTERNAL SUM, DOT
      MAX(1) = 1.5
      MAX(2) = 2.5
      MAX(3) = MIN(MAX(1), MAX(2))
      ABS = -4
      WRITE (*,*) MAX, ABS, SUM(MAX, 3), DOT(MAX, MAX, 3), EXP(0.5)
      END
      REAL FUNCTION SUM(X, N)
      REAL X(N)
      SUM = 100.0
      DO 10 I = 1, N
   10 SUM = SUM + X(I)
      END
      FUNCTION DOT(X, Y, N)
      DIMENSION X(N), Y(N)
      DOT = 0
      DO 10 I = 1, N
   10 DOT = DOT + X(I)*Y(I)
      END
