C flags: -std=legacy
      PROGRAM PROCS
      EXTERNAL F, SUMUP
      INTRINSIC SIN, DSQRT
      DOUBLE PRECISION APPLYD
      WRITE (*,*) TRAP(F, 0.0, 1.0, 8), TRAP(SIN, 0.0, 1.0, 8)
      WRITE (*,*) APPLYD(DSQRT, 2.0D0)
      CALL RUN(SUMUP, 4)
      END
      FUNCTION F(X)
      F = X*X
      END
      FUNCTION TRAP(FUN, A, B, N)
      EXTERNAL FUN
      H = (B - A)/N
      TRAP = 0.5*(FUN(A) + FUN(B))
      DO 10 I = 1, N - 1
   10 TRAP = TRAP + FUN(A + I*H)
      TRAP = TRAP*H
      END
      DOUBLE PRECISION FUNCTION APPLYD(G, X)
      DOUBLE PRECISION G, X
      APPLYD = G(X)
      END
      SUBROUTINE RUN(S, N)
      EXTERNAL S
      CALL S(N)
      END
      SUBROUTINE SUMUP(N)
      K = 0
      DO 10 I = 1, N
   10 K = K + I
      WRITE (*,*) K
      END
