C flags: -std=legacy
      PROGRAM CHARR
      CHARACTER*6 NAMES(3), FIRST, SHORT
      DATA NAMES /'gamma', 'alpha', 'beta'/
      EXTERNAL FIRST
      CALL SORT(NAMES, 3)
      WRITE (*,*) NAMES, FIRST(NAMES, 3)
      SHORT = NAMES(2)(2:4) // NAMES(1)(:1) // NAMES(3)(5:)
      WRITE (*,*) SHORT, LEN(NAMES(1)), LLT('a', 'b'), LGE('b', 'a')
      END
      SUBROUTINE SORT(A, N)
      CHARACTER*(*) A(N)
      CHARACTER*20 T
      DO 20 I = 1, N - 1
      DO 20 J = I + 1, N
        IF (A(J) .GE. A(I)) GO TO 20
        T = A(I)
        A(I) = A(J)
        A(J) = T
   20 CONTINUE
      END
      CHARACTER*(*) FUNCTION FIRST(A, N)
      CHARACTER*(*) A(*)
      FIRST = A(1)
      IF (N .LT. 1) FIRST = ' '
      END
