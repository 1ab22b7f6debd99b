//! XAIF into Fortran.
