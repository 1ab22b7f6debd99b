      PROGRAM MAIN
      INCLUDE 'sizes.inc'
      INCLUDE 'state.inc'
      DO 10 I = 1, N
   10 U(I) = I*0.5
      CALL STEP
      WRITE (*,*) U, T
      END
