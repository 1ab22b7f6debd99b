C flags: -std=legacy
c     lower case
*     a star
! a bang in column one
      PROGRAM COMMS
C
C     after the program statement
      X = 1.0  ! trailing remark

      Y = 2.0
C     between statements; an apostrophe isn't a string
      IF (X .LT. Y) THEN
C       inside a block
        X = X + Y ! 'quoted' remark
      ELSE
C       in the other branch
        X = 0.0
      END IF
      WRITE (*,*) X, 'no ! comment', Y
C     the last one
      END
C     after the end
