C flags: -std=legacy
      PROGRAM BLKDAT
      EXTERNAL CONSTS
      COMMON /TAB/ T(4), N
      COMMON /NAMES/ S
      CHARACTER*5 S
      WRITE (*,*) T, N, S
      END
      BLOCK DATA CONSTS
      COMMON /TAB/ T(4), N
      COMMON /NAMES/ S
      CHARACTER*5 S
      DATA T /1.0, 2.5, 2*-4.0/, N /42/, S /'table'/
      END
