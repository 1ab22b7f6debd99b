C flags: -std=legacy
      BLOCK DATA INIT
      COMMON /A/ X(3), Y /B/ I, J
      INTEGER I, J
      EQUIVALENCE (X(2), Z), (J, K)
      DATA X(1), Z, X(3) /1.0, 2.0, 3.0/, K /8/
      DATA Y, I /-1.0, 7/
      END
      PROGRAM MAIN
      COMMON /A/ V(4)
      COMMON /B/ M(2)
      INTEGER*4 M
      REAL*8 D(2)
      REAL S(4)
      EQUIVALENCE (D(1), S(1))
      D(1) = 1.5D0
      S(3) = 2.0
      S(4) = S(3)
      WRITE (*,*) V, M, D(1), S(3) + S(4)
      END
