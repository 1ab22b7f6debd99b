C flags: -std=legacy
      PROGRAM FORMS
      REAL A(4)
      DATA A /1.0, -2.5, 1.0E5, 3.25E-3/
      WRITE (*, 10) 1, A(1), A
      WRITE (*, 20) (I, A(I), I = 1, 4)
      PRINT 30, 'text', .TRUE., A(2)
      PRINT '(1X, 3(I2, '':''), ''end'')', 1, 2, 3
   10 FORMAT (' i=', I3, ' x=', F8.3, /, ' all', 4(1X, 1PE11.3))
   20 FORMAT (2(I3, F12.4, :, ' ;'))
   30 FORMAT (1X, A, L3, T20, G12.4, SP, I0)
      WRITE (UNIT=*, FMT=10) 2, A(3), A
      END
