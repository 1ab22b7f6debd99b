C flags: -std=legacy -Wno-error
      PROGRAM ASSGO
      INTEGER L, F
      ASSIGN 901 TO F
      DO 100 I = 1, 4
        IF (MOD(I, 2) .EQ. 0) THEN
          ASSIGN 20 TO L
        ELSE
          ASSIGN 10 TO L
        END IF
        GO TO L, (10, 20)
   10   WRITE (*, F) I
        ASSIGN 902 TO F
        GOTO 100
   20   X = I*0.5
        WRITE (*,*) X
        ASSIGN 30 TO L
        GO TO L
   30   CONTINUE
  100 CONTINUE
  901 FORMAT (' odd ', I4)
  902 FORMAT (' odd again ', I4)
      END
