C flags: -std=legacy -Wno-zerotrip
      PROGRAM TRIPS
      N = 0
      DO 10 I = 5, 1
   10 N = N + 1
      WRITE (*,*) N, I
      DO 20 I = 10, 1, -3
   20 N = N + I
      WRITE (*,*) N, I
      M = 4
      DO 30 I = 1, M
        M = 2
        N = N + 1
   30 CONTINUE
      WRITE (*,*) N, I, M
      END
