double p(double x) { return x; }

double p(double x) { return x * x; } // OX1303
