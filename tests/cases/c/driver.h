/* Compares p_d with central differences of p, and p_b with p_d, twice each. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "case_b.h"
#include "case_d.h"

void p(int n, const double *restrict x, int m, double *restrict y);

enum { N = 12, M = 6 };

static double next(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return ((*seed >> 16) & 0x7fff) / 32768.0;
}

int main(void)
{
    unsigned seed = 1;
    int bad = 0;
    for (int round = 0; round < 3; round++) {
        double x[N], xd[N], xb[N], y[M], yd[M], yb[M], left[M], right[M], weights[M], moved[N];
        for (int i = 0; i < N; i++) {
            x[i] = 0.3 + next(&seed);
            xd[i] = next(&seed) - 0.5;
            xb[i] = 0.0;
        }
        const double h = 1e-6;
        for (int i = 0; i < M; i++) weights[i] = yb[i] = next(&seed) - 0.5;
        memset(y, 0, sizeof y);
        memset(yd, 0, sizeof yd);
        memset(left, 0, sizeof left);
        memset(right, 0, sizeof right);
        for (int i = 0; i < N; i++) moved[i] = x[i] - h * xd[i];
        p(N, moved, M, left);
        for (int i = 0; i < N; i++) moved[i] = x[i] + h * xd[i];
        p(N, moved, M, right);
        p_d(N, x, xd, M, y, yd);
        double forward = 0, backward = 0, size = 1e-3;
        for (int i = 0; i < M; i++) {
            double difference = (right[i] - left[i]) / (2 * h);
            if (!(fabs(difference - yd[i]) <= 1e-6 * (1 + fabs(yd[i])))) {
                printf("tangent of y[%d]: %.12g, differences %.12g\n", i, yd[i], difference);
                bad = 1;
            }
            forward += weights[i] * yd[i];
            size += fabs(weights[i] * yd[i]);
        }
        memset(y, 0, sizeof y);
        p_b(N, x, xb, M, y, yb);
        for (int i = 0; i < N; i++) backward += xb[i] * xd[i];
        if (!(fabs(forward - backward) <= 1e-11 * size)) {
            printf("adjoint: %.15g, tangent %.15g\n", backward, forward);
            bad = 1;
        }
        if (forward == 0) {
            printf("nothing is differentiated\n");
            bad = 1;
        }
    }
    printf(bad ? "bad\n" : "good\n");
    return bad;
}
