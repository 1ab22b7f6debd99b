// How far the first n values of x stray from their mean.
#include <math.h>

double spread_of(int n, const double *x)
{
    double mean = 0.0, sum = 0.0;
    for (int i = 0; i < n; i++) mean += x[i] / n;
    for (int i = 0; i < n; i++) sum += (x[i] - mean) * (x[i] - mean);
    return sqrt(sum / n);
}
