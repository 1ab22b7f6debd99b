C flags: -std=legacy
      PROGRAM PREC
      LOGICAL P, Q, R
      A = 2.0
      B = 3.0
      C = 2.0
      I = 7
      J = 2
      WRITE (*,*) -A**2, (-A)**2, A**B**C, (A**B)**C, A**(-B)
      WRITE (*,*) A/B/C, A/(B/C), A - B - C, A - (B - C), A*(B + C)
      WRITE (*,*) I/J*J, I*J/J, I/(J*J), -I/J, -(I/J), MOD(-I, J)
      WRITE (*,*) A - (-B), A + (-B)*C, -A*B, -(A*B), (A*B)*C, A*(B*C)
      WRITE (*,*) (A + B) + C, A + (B + C), +A, A + (+B)
      P = .TRUE.
      Q = .FALSE.
      R = .TRUE.
      WRITE (*,*) P .OR. Q .AND. .NOT. R, (P .OR. Q) .AND. .NOT. R
      WRITE (*,*) P .EQV. Q .OR. R, P .NEQV. (Q .EQV. R)
      WRITE (*,*) .NOT. P .EQV. Q
      WRITE (*,*) .NOT. (P .AND. Q), A .LT. B .EQV. B .GT. A
      WRITE (*,*) 'a' // 'b' .EQ. 'ab', 1 + 2 .EQ. 3 .AND. 2*3 .GE. 6
      END
