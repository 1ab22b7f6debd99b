C     COMMON in different shapes, EQUIVALENCE, DATA, SAVE, BLOCK DATA, sequence association.
      PROGRAM COMEQU
      REAL*8 A(3), B(2, 2), S
      INTEGER N, M, I, J
      COMMON /BLK/ A, B
      COMMON N, M
      REAL X(4), Y(2), Z
      INTEGER IX
      EQUIVALENCE (X(3), Y(1)), (Z, IX)
      REAL*8 TAB(3)
      CHARACTER*4 T
      DATA TAB /1.5D0, 2*-2.5D0/, T /'ab'/
      DATA (X(I), I = 1, 4) /4*1.0/
      INTEGER GRID(2, 3)
      DATA ((GRID(I, J), I = 1, 2), J = 1, 3) /1, 2, 3, 4, 5, 6/
      N = 5
      M = 7
      PRINT *, A, B, TAB, T, '|', GRID
      CALL OTHER
      PRINT *, A, B, N, M
      Y(1) = 9
      Y(2) = 8
      PRINT *, X
      Z = 1.0
      PRINT *, IX
      IX = 1073741824
      PRINT *, Z
      CALL COUNT(I)
      CALL COUNT(I)
      CALL COUNT(I)
      PRINT *, I
      CALL TAIL(TAB(2), 2)
      CALL MATRIX(X, 2)
      PRINT *, TAB, X
      CALL SPREADS(B, S)
      PRINT *, S
      END
      SUBROUTINE OTHER
      REAL*8 V(5), W, P
      COMMON /BLK/ V, W, P
      COMMON K
      V(4) = 44
      W = 66
      P = K
      K = K + 100
      END
      BLOCK DATA
      REAL*8 Q(7)
      COMMON /BLK/ Q
      DATA Q /7*3D0/
      END
      SUBROUTINE COUNT(I)
      INTEGER I, C
      SAVE C
      DATA C /10/
      C = C + 1
      I = C
      END
      SUBROUTINE TAIL(V, N)
      REAL*8 V(*)
      INTEGER N, I
      DO 10 I = 1, N
   10 V(I) = V(I)*I
      END
      SUBROUTINE MATRIX(A, N)
      INTEGER N
      REAL A(N, N)
      A(1, 2) = A(1, 1) + A(2, 1)
      END
      SUBROUTINE SPREADS(B, S)
      REAL*8 B(4), S
      S = B(1) + 2*B(2) + 3*B(3) + 4*B(4)
      END
