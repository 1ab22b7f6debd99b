! flags: -std=legacy
      PROGRAM MAIN
      PARAMETER N = 3, X = 2.5
      DIMENSION A(N)
      A = X
      PRINT *, A
      END
