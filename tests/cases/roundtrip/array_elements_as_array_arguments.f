C flags: -std=legacy
      PROGRAM SEQAS
      DIMENSION W(20)
      N = 4
      DO 10 I = 1, 20
   10 W(I) = I
      CALL TWO(W(1), W(N+1), W(2*N+1), N)
      WRITE (*,*) W
      END
      SUBROUTINE TWO(A, B, C, N)
      DIMENSION A(N), B(N), C(N, 2)
      DO 10 I = 1, N
        C(I,1) = A(I)*B(I)
        C(I,2) = A(I) - B(N+1-I)
   10 CONTINUE
      END
