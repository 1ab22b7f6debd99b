C flags: -std=legacy
      PROGRAM COMPGO
      DO 100 I = -1, 5
        GO TO (10, 20, 30, 10), I
        K = 0
        GOTO 90
   10   K = 1
        GO TO 90
   20   K = 2
   30   K = K + 30
   90   WRITE (*,*) I, K
  100 CONTINUE
      END
