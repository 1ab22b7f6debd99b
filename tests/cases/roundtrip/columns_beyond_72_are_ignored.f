C flags: -std=legacy -Wno-line-truncation
      PROGRAM COLS                                                      00000010
      X = 1.0                                                           00000020
      Y = X + 2.0 + 3.0                                                  + 4.0
      WRITE (*,*) X, Y                                                  00000040
      END                                                               00000050
