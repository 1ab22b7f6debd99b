// Tables, enumerators, functions of math.h, conversions, recursion.
#include <math.h>

enum { TERMS = 4 };
static const double table[TERMS] = {0.5, 1.5, -2.25, 1e-1};

static double power(double x, int n)
{
    if (n == 0) return 1;
    return x * power(x, n - 1);
}

void p(int n, const double *restrict x, int m, double *restrict y)
{
    static const int order[3] = {2, 0, 1};
    for (int k = 0; k < m; k++) {
        double s = pow(x[k], 3) + pow(x[k], x[k + 1]) + log(x[k] + 1) * atan2(x[0], x[1]);
        for (int i = 0; i < TERMS; i++) s += table[i] * power(x[i], i) * cos(x[n - 1] * i);
        s += fabs(x[order[k % 3]] - 0.7) + fmax(x[1], x[2]) - fmin(x[3], 2 * x[4]) + hypot(x[0], x[2]);
        s += (double)(float)2.5 * erf(x[2]) + (int)(10 * x[k]) / 4 + floor(3 * x[1]) + fmod(x[k], 0.4);
        y[k] = s / (1 + tanh(x[3])) + sqrt(x[4]) * exp(-x[5]) + asin(x[5] / 4);
    }
}
