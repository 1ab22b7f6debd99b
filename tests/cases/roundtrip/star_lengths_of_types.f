C flags: -std=legacy -Wno-conversion -Wno-character-truncation -Wno-surprising
      PROGRAM STARS
      REAL*8 D, E(3)
      REAL*8 R
      REAL*4 Q
      INTEGER*2 I2
      INTEGER*4 I4
      INTEGER*8 I8
      LOGICAL*1 L1
      LOGICAL*4 L4
      COMPLEX*16 Z, CONJ2
      DOUBLE COMPLEX W
      CHARACTER A*3, B*5
      D = 1.0D0/3
      E(1) = D
      E(2) = D*2
      E(3) = SQRT(D)
      R = 2.0D0/3
      Q = 2.0/3
      I2 = 32000
      I4 = 2000000000
      I8 = 4000000000_8
      L1 = .TRUE.
      L4 = .NOT. L1
      Z = (1.0D0, -2.5D0)
      W = CONJ2(Z) + DCMPLX(1.0D0, 0.0D0)
      A = 'abcdef'
      B = A // 'uvw'
      WRITE (*,*) D, E, R, Q, I2, I4, I8, L1, L4, Z, W, A, B
      WRITE (*,*) DIMAG(Z), DBLE(Q), IDINT(E(2)*10)
      END
      COMPLEX*16 FUNCTION CONJ2(Z)
      COMPLEX*16 Z
      CONJ2 = DCONJG(Z)*2
      END
