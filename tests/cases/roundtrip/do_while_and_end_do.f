C flags: -std=legacy
      PROGRAM DOW
      IMPLICIT NONE
      INTEGER I, N
      REAL X
      X = 1.0
      N = 0
      DO WHILE (X .LT. 100.0)
        X = X*1.5
        N = N + 1
      END DO
      WRITE (*,*) X, N
      DO 20 WHILE (N .GT. 8)
        N = N - 1
   20 CONTINUE
      DO I = 1, 3
        N = N + I
      ENDDO
      WRITE (*,*) N
      END
