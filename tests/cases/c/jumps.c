// goto: backwards, out of nested loops, into what follows; early returns.
#include <stdio.h>
#include <math.h>

static int find(int n, double a[n][n], double wanted, int *row, int *col)
{
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            if (a[i][j] == wanted)
                goto found;
    *row = *col = -1;
    return 0;
found:
    *row = i;
    *col = j;
    return 1;
}

static double newton(double x, double target)
{
    int tries = 0;
    double f;
again:
    f = x * x * x - target;
    if (fabs(f) < 1e-13)
        goto out;
    x -= f / (3 * x * x);
    if (++tries < 60)
        goto again;
    return -1;
out:
    return x;
}

static int collatz(long n)
{
    int steps = 0;
    for (;;) {
        if (n == 1)
            return steps;
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
}

int main(void)
{
    double a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    int r, c, ok;
    ok = find(3, a, 8.0, &r, &c);
    printf("%d %d %d\n", ok, r, c);
    ok = find(3, a, 0.5, &r, &c);
    printf("%d %d %d\n", ok, r, c);
    printf("%.12f %d\n", newton(2.0, 7.0), collatz(27));
    return 0;
}
