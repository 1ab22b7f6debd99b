C flags: -std=legacy
      PROGRAM P
      INTEGER N
      N = 0
      CALL OPENIT(3, *10)
      N = N + 1
   10 CALL CLOSIT(*20, 0)
      N = N + 10
   20 CALL CLOSIT(*30, 1)
      N = N + 100
   30 WRITE (*,*) N
      END
      SUBROUTINE OPENIT(I, *)
      SAVE
      K = I
      IF (I .GT. 5) RETURN 1
      RETURN
      ENTRY CLOSIT(*, J)
      WRITE (*,*) 'closing', K, J
      IF (J .GT. 0) RETURN 1
      END
