C flags: -std=legacy -Wno-integer-division
      PROGRAM PARAMS
      INTEGER N, M, NM
      PARAMETER (N = 3, M = 2*N - 1, NM = N*M + MOD(17, 5))
      DOUBLE PRECISION EPS, TWO, ROOT
      PARAMETER (EPS = 1.0D-8, TWO = 2, ROOT = TWO**0.5D0)
      CHARACTER*(*) NAME
      PARAMETER (NAME = 'solver' // '-' // 'one')
      LOGICAL BIG
      PARAMETER (BIG = NM .GT. 10 .AND. .NOT. (N .EQ. M))
      REAL A(N, M), B(-N:N, 0:NM/N)
      DO 10 J = 1, M
      DO 10 I = 1, N
   10 A(I,J) = I*J
      DO 20 J = 0, NM/N
      DO 20 I = -N, N
   20 B(I,J) = I - J
      WRITE (*,*) NM, EPS, ROOT, NAME, BIG
      WRITE (*,*) A
      WRITE (*,*) B(-N,0), B(N,NM/N)
      END
