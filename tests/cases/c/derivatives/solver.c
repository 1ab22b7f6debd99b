// A tridiagonal solver with allocated memory, called twice.
#include <stdlib.h>

static void solve(int n, double *restrict diag, double *restrict rhs)
{
    double *c = malloc(n * sizeof *c);
    c[0] = -1 / diag[0];
    rhs[0] /= diag[0];
    for (int i = 1; i < n; i++) {
        double d = diag[i] + c[i - 1];
        c[i] = -1 / d;
        rhs[i] = (rhs[i] + rhs[i - 1]) / d;
    }
    for (int i = n - 2; i >= 0; i--) rhs[i] -= c[i] * rhs[i + 1];
    free(c);
}

void p(int n, const double *restrict x, int m, double *restrict y)
{
    double diag[m], rhs[m];
    for (int k = 0; k < m; k++) {
        diag[k] = 3 + x[k] * x[n - 1 - k];
        rhs[k] = x[k + 1];
    }
    solve(m, diag, rhs);
    for (int k = 0; k < m; k++) rhs[k] *= x[k];
    solve(m, diag, rhs);
    for (int k = 0; k < m; k++) y[k] = rhs[k];
}
