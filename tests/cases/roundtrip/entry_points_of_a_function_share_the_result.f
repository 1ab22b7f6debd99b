C flags: -std=legacy
      PROGRAM ENTFUN
      INTEGER NINTH
      WRITE (*,*) SQ(3.0), CU(3.0), HALF(5.0), NINTH(27)
      END
      FUNCTION SQ(X)
      SQ = X*X
      RETURN
      ENTRY CU(X)
      CU = X*X*X
      RETURN
      ENTRY HALF(X)
      SQ = X/2
      END
      INTEGER FUNCTION NINTH(I)
      INTEGER THIRD
      NINTH = I/9
      RETURN
      ENTRY THIRD(I)
      THIRD = I/3
      END
