C flags: -std=legacy
      PROGRAM SHARED
      DIMENSION A(3,4,2)
      S = 0.0
      DO 10 K = 1, 2
      DO 10 J = 1, 4
      DO 10 I = 1, 3
   10 A(I,J,K) = I + 10*J + 100*K
      DO 30 J = 1, 4
        S = S + J
        DO 30 I = 1, 3
          IF (A(I,J,1) .GT. 32.0) GO TO 30
          S = S + A(I,J,2)
   30 CONTINUE
      DO 40 I = 1, 3
   40 IF (I .NE. 2) S = S + 1000.0
      DO 50, I = 1, 2
   50 CALL BUMP(S, I)
      WRITE (*,*) S
      END
      SUBROUTINE BUMP(S, I)
      S = S + I*0.25
      END
