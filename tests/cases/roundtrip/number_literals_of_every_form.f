C flags: -std=legacy
      PROGRAM LITS
      DOUBLE PRECISION A, B, C
      A = 1.D0
      B = .5D-3
      C = 1D3
      X = 1.
      Y = .25
      Z = 1.E+02
      W = 3E-1
      IF (1.EQ.1.AND.2.LT.3.) WRITE (*,*) 'relations'
      WRITE (*,*) A, B, C, X, Y, Z, W, 1.5E0, 123456789, -7, +3
      WRITE (*,*) 1.0/3.0, 1.0D0/3.0D0, 0.1, 0.1D0, (1.0, -0.5), 1.7E38
      WRITE (*,*) .TRUE., .FALSE., 'it''s', "dq", ''''
      END
