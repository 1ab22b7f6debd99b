C flags: -std=legacy
      PROGRAM JUMPS
      INTEGER A(10)
      DATA A /4, 8, 15, 16, 23, 42, 3, 1, 0, 9/
      DO 20 I = 1, 10
        IF (A(I) .EQ. 23) GO TO 30
        IF (MOD(A(I), 2) .EQ. 0) GO TO 10
        WRITE (*,*) 'odd', A(I)
        GO TO 20
   10   WRITE (*,*) 'even', A(I)
   20 CONTINUE
      WRITE (*,*) 'not found'
   30 WRITE (*,*) 'stopped at', I
      DO 60 I = 1, 5
        DO 50 J = 1, 5
          IF (I*J .EQ. 12) GOTO 70
          IF (J .GT. I) GOTO 60
   50   CONTINUE
   60 CONTINUE
   70 WRITE (*,*) I, J
      END
