// Branches, choices and loops whose number of iterations depends on values.
#include <math.h>

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

void p(int n, const double *restrict x, int m, double *restrict y)
{
    for (int k = 0; k < m; k++) {
        double s = 0.0, t = x[k];
        for (int i = 0; i < n; i++) {
            t = sin(x[i]) * t;
            if (t > 0.25)
                s += t * t;
            else if (t < -1)
                continue;
            else
                s += sigmoid(t) * x[(i + k) % n];
        }
        while (s > 1.5) s = s * 0.7 + 0.01 * x[0];
        y[k] = s > 1 ? sqrt(s) : s / (k + 1);
    }
}
