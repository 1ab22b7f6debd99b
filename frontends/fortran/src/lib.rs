//! Fortran 77 to 2018 into XAIF.
