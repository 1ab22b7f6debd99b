C flags: -std=legacy -Wno-error
      PROGRAM HOLLER
      INTEGER W(2)
      REAL*8 D
      DATA W(1) /4HABCD/
      W(2) = 4HWXYZ
      D = 8Hdata set
      WRITE (*, 100) W
      WRITE (*, 200) D
      CALL PUT(4HLONG)
  100 FORMAT (7H words , A4, 1H,, A4)
  200 FORMAT (10H 'quoted' , A8)
      END
      SUBROUTINE PUT(I)
      INTEGER I
      WRITE (*, 300) I
  300 FORMAT (1X, A4)
      END
