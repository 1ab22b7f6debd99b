! flags: -std=legacy
      PROGRAM MAIN
      EXTERNAL F
      X = 0.5
      CALL BOTH(F, X)
      END
      SUBROUTINE BOTH(F, X)
      CALL APPLY(F, X)
      Y = F(X)
      PRINT *, X, Y
      END
      SUBROUTINE APPLY(G, X)
      EXTERNAL G
      X = X + G(X)
      END
      REAL FUNCTION F(X)
      F = 2.0*X
      END
