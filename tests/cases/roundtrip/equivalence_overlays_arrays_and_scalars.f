C flags: -std=legacy
      PROGRAM EQUIV
      REAL A(10), B(2,3), X, Y
      INTEGER I(4), J
      EQUIVALENCE (A(3), B(1,1)), (A(1), X), (Y, A(2))
      EQUIVALENCE (I, J)
      DO 10 K = 1, 10
   10 A(K) = K*1.5
      B(2,2) = -1.0
      X = 100.0
      Y = A(1) + 1.0
      I(1) = 5
      J = J + 1
      WRITE (*,*) A
      WRITE (*,*) B
      WRITE (*,*) X, Y, I(1)
      END
