C flags: -std=legacy
      PROGRAM CHARS
      CHARACTER*12 S, T*5, A(3)*4
      CHARACTER U
      CHARACTER*8 PAD
      S = 'Hello, world'
      T = S(8:)
      U = S(5:5)
      S(1:5) = 'HELLO'
      A(1) = 'abcd'
      A(2) = A(1)(2:3) // 'x'
      A(3) = 'it''s'
      A(3)(1:2) = A(1)(3:)
      WRITE (*,*) S, '|', T, '|', U, '|', A
      WRITE (*,*) LEN(S), INDEX(S, 'wor'), ICHAR(U), CHAR(65), S .LT. T
      WRITE (*,*) PAD('ab') // '.'
      END
      CHARACTER*8 FUNCTION PAD(S)
      CHARACTER*(*) S
      PAD = S // '*' // S(1:1)
      END
