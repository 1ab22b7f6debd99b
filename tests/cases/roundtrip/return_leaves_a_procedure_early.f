C flags: -std=legacy
      PROGRAM EARLY
      DO 10 I = -1, 4
   10 WRITE (*,*) I, FACT(I), SGN(I)
      END
      FUNCTION FACT(N)
      FACT = 1.0
      IF (N .LE. 1) RETURN
      DO 10 I = 2, N
        FACT = FACT*I
        IF (FACT .GT. 20.0) RETURN
   10 CONTINUE
      END
      FUNCTION SGN(I)
      IF (I .LT. 0) THEN
        SGN = -1.0
        RETURN
      ELSE IF (I .EQ. 0) THEN
        SGN = 0.0
        RETURN
      END IF
      SGN = 1.0
      RETURN
      END
