C flags: -std=legacy
      PROGRAM IMPTYP
      I = 7
      N = I/2
      X = 7
      Y = X/2
      JSUM = 0
      DO 10 K = 1, N
        JSUM = JSUM + K*K
   10 CONTINUE
      CALL SHOW(N, Y, JSUM)
      END
      SUBROUTINE SHOW(M, Z, L)
      W = Z + M
      PRINT *, M, Z, L, W
      END
