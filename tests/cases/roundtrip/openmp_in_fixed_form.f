C flags: -std=legacy
      SUBROUTINE SAXPY(N, A, X, Y)
      INTEGER N, I
      REAL A, X(N), Y(N)
C$OMP PARALLEL DO PRIVATE(I)
C$OMP+ SHARED(X, Y)
      DO 10 I = 1, N
CDIR$ IVDEP
        Y(I) = Y(I) + A*X(I)
   10 CONTINUE
C$OMP END PARALLEL DO
      END
      PROGRAM MAIN
      REAL X(3), Y(3)
c$openad INDEPENDENT(X)
      DATA X, Y /1.0, 2.0, 3.0, 3*0.5/
      CALL SAXPY(3, 2.0, X, Y)
C$AD DEPENDENT Y
      PRINT *, Y
c$openad DEPENDENT(Y)
      END
