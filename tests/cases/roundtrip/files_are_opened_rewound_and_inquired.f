C flags: -std=legacy
      PROGRAM FILES
      LOGICAL EX, OP
      CHARACTER*40 NAME
      INTEGER REC(3)
      OPEN (UNIT=10, STATUS='SCRATCH', FORM='FORMATTED', ERR=90)
      DO 10 I = 1, 3
   10 WRITE (10, '(I4, F8.2)') I, I*1.5
      REWIND 10
      S = 0.0
   20 READ (10, '(I4, F8.2)', END=30) K, X
      S = S + K*X
      GO TO 20
   30 BACKSPACE (10)
      BACKSPACE 10
      READ (10, '(I4)') K
      INQUIRE (UNIT=10, OPENED=OP, NAMED=EX)
      WRITE (*,*) S, K, OP, EX
      ENDFILE 10
      CLOSE (10)
      OPEN (11, ACCESS='DIRECT', RECL=12, STATUS='SCRATCH')
      WRITE (11, REC=2) 4, 5, 6
      READ (11, REC=2) REC
      CLOSE (11, STATUS='DELETE')
      INQUIRE (FILE='no-such-file', EXIST=EX)
      WRITE (NAME, *) REC
      WRITE (*,*) NAME, EX
      STOP
   90 WRITE (*,*) 'cannot open'
      END
