C flags: -std=legacy
      PROGRAM CONTIN
      INTEGER ALPHA, BETAGA
      DOUBLE PRE
     &CISION D
      ALPHA = 12
     1345
      BET
     +AGA = AL
C     a comment between continuation lines
     2PHA + 1

     3  + 2
      D = 1.5
     *D0
      WRITE (*,*) ALPHA, BETAGA, D, 'a string that goes on beyond the r
     &ight margin'
      IF (ALPHA .G
     $T. 5 .AND.
     $    BETAGA .NE. 0) WRITE (*,*) 'yes'
      END
