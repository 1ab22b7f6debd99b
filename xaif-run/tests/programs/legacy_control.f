C     GOTO of every kind, arithmetic IF, shared terminals, alternate returns, ENTRY.
      PROGRAM LEGACY
      INTEGER I, J, K, LAB
      REAL*8 X, F, G, ST
      EXTERNAL F
      ST(X, I) = X*I + 1
      K = 0
      DO 10 I = 1, 3
      DO 10 J = 1, 2
      K = K + I*J
   10 CONTINUE
      PRINT *, K, I, J
      DO 20 I = 1, 5
        GO TO (21, 22, 23), I
        PRINT *, 'none', I
        GO TO 20
   21   PRINT *, 'one'
        GO TO 20
   22   PRINT *, 'two'
   23   PRINT *, 'three'
   20 CONTINUE
      DO 30 I = -1, 1
        IF (I) 31, 32, 33
   31   PRINT *, 'negative'
        GO TO 30
   32   PRINT *, 'zero'
        GO TO 30
   33   PRINT *, 'positive'
   30 CONTINUE
      ASSIGN 41 TO LAB
      GO TO 50
   41 PRINT *, 'first'
      ASSIGN 42 TO LAB
      GO TO 50
   42 PRINT *, 'second'
      GO TO 60
   50 GO TO LAB, (41, 42)
   60 X = 2
      CALL ALT(1, *71, *72)
      PRINT *, 'no way'
   71 PRINT *, 'seventy one'
      CALL ALT(2, *71, *72)
   72 PRINT *, 'seventy two'
      CALL ALT(0, *71, *72)
      PRINT *, 'plain return'
      PRINT *, F(2D0), G(3D0), ST(1.5D0, 4), ST(X, 2)
      I = 0
   80 IF (I .GE. 3) GO TO 90
      I = I + 1
      GO TO 80
   90 PRINT *, I
      X = 0
      DO 100 X = 0D0, 1D0, 0.25D0
      PRINT *, X
  100 CONTINUE
      DO 110 I = 5, 1
  110 PRINT *, 'never'
      DO 120 I = 10, 1, -4
  120 PRINT *, I
      STOP
      END
      SUBROUTINE ALT(N, *, *)
      IF (N .EQ. 1) RETURN 1
      IF (N .EQ. 2) RETURN 2
      END
      REAL*8 FUNCTION F(X)
      REAL*8 X, G
      F = X*X
      RETURN
      ENTRY G(X)
      G = X + 100
      END
