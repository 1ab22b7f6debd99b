C flags: -std=legacy
      PROGRAM ENTSUB
      CALL INIT(3.0)
      CALL ADD(1.5, 2)
      CALL ADD(2.5, 1)
      CALL GET(X)
      WRITE (*,*) X
      END
      SUBROUTINE INIT(A)
      SAVE S
      S = A
      RETURN
      ENTRY ADD(B, N)
      DO 10 I = 1, N
        S = S + B
   10 CONTINUE
      RETURN
      ENTRY GET(C)
      C = S
      END
