! flags: -std=legacy
      PROGRAM MAIN
      INTEGER N
      COMMON /C/ A, B
      COMMON /C/ D
      PARAMETER (N = 2)
      DIMENSION A(N)
      NAMELIST /G/ I
      NAMELIST /G/ J
      A(1) = 1.0
      A(2) = 2.0
      B = 3.0
      D = 4.0
      I = 5
      J = 6
      WRITE (*, G)
      CALL SHOW
      END
      SUBROUTINE SHOW
      COMMON /C/ X(4)
      PRINT *, X
      END
