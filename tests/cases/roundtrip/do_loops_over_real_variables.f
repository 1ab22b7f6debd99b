C flags: -std=legacy -Wno-error
      PROGRAM DOREAL
      S = 0.0
      DO 10 X = 0.0, 1.0, 0.25
        S = S + X
   10 CONTINUE
      DO 20 D = 2.0, 0.5, -0.5
   20 S = S*D
      WRITE (*,*) S, X, D
      END
