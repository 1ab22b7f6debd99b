// switch without fall-through, early return, goto out of a loop.
#include <math.h>

static double kernel(int kind, double a, double b)
{
    switch (kind) {
    case 0:
        return a * b;
    case 1:
    case 2:
        a = exp(-a * b);
        break;
    default:
        a += b * b;
        break;
    }
    if (a > 100) return b;
    return a / (1 + b);
}

void p(int n, const double *restrict x, int m, double *restrict y)
{
    for (int k = 0; k < m; k++) {
        double s = 0;
        int i;
        for (i = 0; i < n; i++) {
            s += kernel(i % 5, x[i], x[k]);
            if (s > 4.0) break;
        }
        y[k] = s * x[i % n];
    }
}
