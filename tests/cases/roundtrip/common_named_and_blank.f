C flags: -std=legacy
      PROGRAM COMM
      COMMON /STATE/ T, DT, NSTEP
      COMMON /GRID/ X(5), Y(5) /SIZES/ NX
      COMMON // SCRTCH(3)
      COMMON MORE
      DOUBLE PRECISION T, DT
      T = 0.0D0
      DT = 0.25D0
      NSTEP = 4
      NX = 5
      MORE = 11
      DO 10 I = 1, NX
        X(I) = I
        Y(I) = I*I
   10 CONTINUE
      CALL STEP
      WRITE (*,*) T, X, Y, SCRTCH, MORE
      END
      SUBROUTINE STEP
      COMMON /STATE/ T, DT, NSTEP
      COMMON /GRID/ X(5), Y(5)
      COMMON /SIZES/ NX
      COMMON SCRTCH(3), MORE
      DOUBLE PRECISION T, DT
      DO 20 ISTEP = 1, NSTEP
        T = T + DT
        DO 20 I = 1, NX
          X(I) = X(I) + REAL(DT)*Y(I)
   20 CONTINUE
      SCRTCH(1) = X(1)
      SCRTCH(2) = X(3)
      SCRTCH(3) = X(5)
      MORE = MORE + NSTEP
      END
