//! Analyses and transformations on an XAIF document. The first stages arrive with the data-flow solver.
