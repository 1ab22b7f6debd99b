#include "no_such_header.h" // OX1003
double p(double x) { return x; }
