#include <stdlib.h>

double p(int n, double x)
{
    double *a = malloc(n * sizeof *a);
    a[0] = x * x;
    x = a[0];
    a = NULL; // OX1301
    return x;
}
