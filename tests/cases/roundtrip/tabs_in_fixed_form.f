C flags: -std=legacy -Wno-error
	PROGRAM TABS
	X = 1.0
	IF (X .GT. 0.0) THEN
	  X = X +
	1     2.0
	END IF
	DO 10 I = 1, 2
10	X = X*2
	PRINT *, X
	END
