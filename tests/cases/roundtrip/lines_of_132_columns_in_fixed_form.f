C flags: -std=legacy -ffixed-line-length-132
C f2xaif: --line-length 132
      PROGRAM WIDE
      X = 1.0
      Y = X + 2.0 + 3.0 + 4.0 + 5.0 + 6.0 + 7.0 + 8.0 + 9.0 + 10.0 + 11.0 + 12.0 + 13.0 + 14.0
      WRITE (*,*) X, Y
      END
