C flags: -std=legacy
      PROGRAM INTERN
      CHARACTER*20 LINE, LINES(2)
      WRITE (LINE, '(I5, F8.3)') 42, 2.5
      READ (LINE, '(I5, F8.3)') I, X
      WRITE (*,*) LINE, I, X
      WRITE (LINES, 100) 1, 2
  100 FORMAT ('line', I3)
      WRITE (*,*) LINES
      READ (LINE, *, ERR=20, END=20) J, Y
      WRITE (*,*) J, Y
      READ (LINE, '(I2)', IOSTAT=IOS, ERR=20) K
      WRITE (*,*) K, IOS
      READ (LINE(6:), '(L1)', ERR=20) L
      WRITE (*,*) 'unreachable', L
   20 WRITE (*,*) 'error branch'
      END
