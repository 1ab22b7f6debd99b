C flags: -std=legacy
      PRO GRAM BLANKS
      INTE GER DO1 0I, N U M
      DO10I = 5
      NUM = 1 0 0
      DO 10 I = 1, 3
   10 N U M = NUM + I
      I F (NUM .G T. 5) WR ITE (*, *) 'a  b', NUM, DO 10 I
      X = 1. 5 E 1
      GO  TO 2 0
      X = 0
  2 0 PRINT*,X
      EN D
