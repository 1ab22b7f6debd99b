      SUBROUTINE NEWTON(X, N)
      USE SETTINGS
      COMMON /STATS/ KOUNT
      N = 0
   10 F = X*X - 2.0
      KOUNT = KOUNT + 1
      IF (ABS(F) .LT. TOLERANCE) RETURN
      X = X - F/(2.0*X)
      N = N + 1
      GO TO 10
      END
