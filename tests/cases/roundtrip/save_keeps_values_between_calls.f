C flags: -std=legacy
      PROGRAM SAVES
      DO 10 I = 1, 4
        CALL COUNT(I, J, X)
        WRITE (*,*) I, J, X, GATHER(I)
   10 CONTINUE
      END
      SUBROUTINE COUNT(I, J, X)
      INTEGER N
      REAL S
      SAVE N, S
      DATA N, S /0, 0.5/
      N = N + I
      S = S*2.0
      J = N
      X = S
      END
      FUNCTION GATHER(I)
      SAVE
      DATA T /1.0/
      T = T + I
      GATHER = T
      END
