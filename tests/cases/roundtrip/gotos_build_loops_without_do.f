C flags: -std=legacy
      PROGRAM GOTOS
C     a bisection written the old way, and a loop that is entered twice
      A = 0.0
      B = 2.0
      N = 0
   10 C = 0.5*(A + B)
      N = N + 1
      IF (B - A .LT. 1.0E-4) GO TO 40
      IF (C*C .GT. 2.0) GO TO 20
      A = C
      GO TO 10
   20 B = C
      GO TO 10
   40 WRITE (*,*) C, N
      K = 3
      IF (N .GT. 5) GO TO 60
   50 K = K + 1
   60 K = K*2
      IF (K .LT. 40) GO TO 50
      WRITE (*,*) K
      END
