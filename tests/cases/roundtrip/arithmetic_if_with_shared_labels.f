C flags: -std=legacy
      PROGRAM ARIF
      DO 50 I = -2, 2
        IF (I) 10, 20, 30
   10   K = -1
        GO TO 40
   20   K = 0
        GO TO 40
   30   K = 1
   40   X = 0.5*I
        IF (X - 0.25) 45, 45, 48
   45   WRITE (*,*) I, K, 'small'
        GOTO 50
   48   WRITE (*,*) I, K, 'large'
   50 CONTINUE
      END
