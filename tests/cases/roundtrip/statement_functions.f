C flags: -std=legacy
      PROGRAM STMTF
      REAL X, A, B, LIN, POLY
      INTEGER K, IDX
      LOGICAL ODD
      PARAMETER (A = 2.0, B = -1.0)
      LIN(X) = A*X + B
      POLY(X, C) = LIN(X)**2 + C*SIN(X)
      IDX(I, J) = (I - 1)*10 + J
      ODD(K) = MOD(K, 2) .NE. 0
      DO 10 I = 1, 3
        WRITE (*,*) LIN(REAL(I)), POLY(0.5*I, 3.0), IDX(I, 4), ODD(I)
   10 CONTINUE
      END
