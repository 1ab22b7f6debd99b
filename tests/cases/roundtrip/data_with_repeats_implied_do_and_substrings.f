C flags: -std=legacy
      PROGRAM DATAS
      INTEGER N, M(4,4), K(6)
      REAL A(5), B(3), PI
      DOUBLE PRECISION D
      COMPLEX Z
      LOGICAL L1, L2
      CHARACTER*6 S
      PARAMETER (PI = 3.14159)
      DATA N /4/, A /2*1.5, 3*-0.25/, B(1), B(2), B(3) /PI, 1.0, 0.0/
      DATA ((M(I,J), I=1,J), J=1,4) /10*7/
      DATA ((M(I,J), I=J+1,4), J=1,3) /6*-1/
      DATA (K(I), I=1,5,2) /1,3,5/ (K(I), I=2,6,2) /2,4,6/
      DATA D, Z /1.5D-3, (1.0,-2.0)/ L1, L2 /.TRUE., .FALSE./
      DATA S(1:3), S(4:6) /'abc', 'xyz'/
      WRITE (*,*) N, A, B
      WRITE (*,*) M
      WRITE (*,*) K, D, Z, L1, L2, S
      END
