C flags: -std=legacy
      PROGRAM ORDERS
      DIMENSION A(3), K(2)
      PARAMETER (N = 3)
      DOUBLE PRECISION A, B
      COMMON /C/ B(N), L
      INTEGER*2 K
      LOGICAL L
      SAVE /C/
      DATA A /1.0D0, 2.0D0, 3.0D0/
      K(1) = 1
      K(2) = 2
      L = .TRUE.
      DO 10 I = 1, N
   10 B(I) = A(I)/K(2)
      WRITE (*,*) A, B, K, L
      END
