C flags: -std=legacy -Wno-conversion -Wno-character-truncation
      PROGRAM IMPST
      IMPLICIT DOUBLE PRECISION (A-H,O-W), LOGICAL (L), COMPLEX (Z)
      IMPLICIT CHARACTER*4 (X), INTEGER (Y)
      A = 1.0D0/3.0D0
      LESS = A .LT. 0.5D0
      Z1 = (1.0, 2.0)
      XNAME = 'abcdef'
      YCOUNT = 9.75
      N = 5
      WRITE (*,*) A, LESS, Z1*Z1, XNAME, YCOUNT, N/2
      WRITE (*,*) HALF(A)
      END
      DOUBLE PRECISION FUNCTION HALF(B)
      IMPLICIT REAL*8 (A-H)
      HALF = B/2
      END
