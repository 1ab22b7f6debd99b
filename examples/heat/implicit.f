C     One implicit step: solves (I - DT*L) T = T by elimination, and again
C     while radiation at the right end has not settled.
      SUBROUTINE STEP(N, T, COND, NIT)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      PARAMETER (MAXN = 200)
      DIMENSION T(N), COND(*), A(MAXN), B(MAXN), C(MAXN), R(MAXN)
      COMMON /PHYS/ DT, DX, TLEFT, EMISS
      RATIO(I) = DT*COND(I)/DX**2
      TOLD = T(N)
      NIT = 0
C     the last unknown radiates; its flux uses the latest temperature
   10 NIT = NIT + 1
      TEND = T(N)
      B(1) = 1.0D0
      C(1) = 0.0D0
      R(1) = TLEFT
      DO 20 I = 2, N - 1
        A(I) = -RATIO(I-1)
        C(I) = -RATIO(I)
        B(I) = 1.0D0 - A(I) - C(I)
   20 R(I) = T(I)
      A(N) = -RATIO(N-1)
      B(N) = 1.0D0 - A(N)
      R(N) = TOLD - DT*EMISS*TEND**4
C     elimination
      DO 30 I = 2, N
        W = A(I)/B(I-1)
        B(I) = B(I) - W*C(I-1)
        R(I) = R(I) - W*R(I-1)
   30 CONTINUE
      X = R(N)/B(N)
      IF (ABS(X - TEND) .LT. 1.0D-12) GO TO 50
      T(N) = 0.5D0*(X + TEND)
      IF (NIT .LT. 50) GO TO 10
C     back substitution
   50 T(N) = X
      DO 60 I = N - 1, 1, -1
   60 T(I) = (R(I) - C(I)*T(I+1))/B(I)
      END
