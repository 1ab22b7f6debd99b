C flags: -std=legacy
      PROGRAM ALTRET
      DO 40 I = -1, 1
        CALL CLASS(I, X, *10, *20)
        WRITE (*,*) 'normal', X
        GO TO 40
   10   WRITE (*,*) 'negative', X
        GOTO 40
   20   WRITE (*,*) 'zero', X
   40 CONTINUE
      END
      SUBROUTINE CLASS(I, X, *, *)
      X = I*2.5
      IF (I .LT. 0) RETURN 1
      IF (I .EQ. 0) RETURN I + 2
      END
