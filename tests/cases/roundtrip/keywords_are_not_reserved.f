C flags: -std=legacy
      PROGRAM KEYS
      INTEGER IF, DO, END, THEN, GOTO, REAL(3), DATA
      INTEGER WRITE, READ, CALL, CONTINUE, RETURN, STOP
      LOGICAL ELSE
      IF = 1
      DO = 2
      END = IF + DO
      THEN = 4
      ELSE = .TRUE.
      REAL(1) = 10
      REAL(IF+1) = 20
      REAL(3) = REAL(1) + REAL(2)
      DATA = 7
      GOTO = 8
      READ = 9
      WRITE = READ + 1
      CALL = 11
      CONTINUE = 12
      RETURN = 13
      STOP = 14
      IF (ELSE) THEN = THEN + 1
      IF (THEN .EQ. 5) THEN
        DO 10 DO = 1, 3
   10   END = END + DO
      END IF
      PRINT *, IF, DO, END, THEN, REAL, DATA, GOTO, READ, WRITE
      PRINT *, CALL, CONTINUE, RETURN, STOP
      END
