C flags: -std=legacy
      PROGRAM ADJ
      REAL A(12), B(3,4)
      DO 10 I = 1, 12
   10 A(I) = I
      CALL FILL(B, 3, 3, 4)
      WRITE (*,*) TOTAL(A, 12), TOTAL(A(4), 3), TOTAL(B(1,2), 3)
      CALL SUB(A, 2, 5)
      WRITE (*,*) A
      WRITE (*,*) B
      END
      FUNCTION TOTAL(X, N)
      REAL X(*)
      TOTAL = 0.0
      DO 10 I = 1, N
   10 TOTAL = TOTAL + X(I)
      END
      SUBROUTINE FILL(B, LDB, M, N)
      DIMENSION B(LDB, *)
      DO 10 J = 1, N
      DO 10 I = 1, M
   10 B(I,J) = I*0.5 + J
      END
      SUBROUTINE SUB(X, LO, HI)
      INTEGER LO, HI
      REAL X(LO:HI), T(3)
      DO 10 I = LO, HI
   10 X(I) = X(I) + LO*100
      T(1) = X(LO)
      X(HI) = T(1)
      END
