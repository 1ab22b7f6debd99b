C flags: -std=legacy -Wno-error
      PROGRAM LABELS
      N = 0
      DO 30 I = 1, 6
        IF (I .EQ. 2) GO TO 30
        IF (I .GT. 4) THEN
          N = N + 100
   10     N = N + 1
          IF (N .LT. 104) GO TO 10
        END IF
        DO J = 1, 3
          IF (J .EQ. 2) GO TO 20
          N = N + J
   20   END DO
   30 CONTINUE
      WRITE (*,*) N
      GO TO 50
   40 WRITE (*,*) 'done'
      STOP
   50 WRITE (*,*) 'last'
      GO TO 40
      END
