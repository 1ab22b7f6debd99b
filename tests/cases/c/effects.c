// Side effects within expressions: ++ and -- in subscripts, chains, commas, short circuits, choices.
#include <stdio.h>

static int calls = 0;

static int count(int x)
{
    calls++;
    return x;
}

static void reverse(double *p, int n)
{
    double *q = p + n;
    while (p < --q) {
        double t = *p;
        *p++ = *q;
        *q = t;
    }
}

static int compact(const double *from, int n, double *to)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (from[i] > 0)
            to[k++] = from[i];
    return k;
}

int main(void)
{
    double a[6] = {1, -2, 3, -4, 5, 6}, b[6] = {0};
    int i = 0, j, k;
    double x, y, z;
    x = y = z = 2.5;
    a[i++] += x;
    a[++i] *= 2, a[i] -= 1;
    for (j = 5, k = 0; j > k; j--, k++)
        z += a[j] * a[k];
    printf("%g %g %g %d\n", a[0], a[2], z, i);
    if (count(0) && count(1)) printf("no\n");
    if (count(1) || count(1)) printf("yes %d\n", calls);
    if (!(count(1) && !count(0)) || (k = 7, k > 8)) printf("no\n");
    printf("%d %d\n", calls, k);
    i = 3;
    y = i > 2 ? a[i - 3] / 2 : a[i + 100];
    x = i < 2 ? 1 / (i - 3) : (i == 3 ? (k++, 4.5) : 2);
    printf("%g %g %d\n", x, y, k);
    reverse(a, 6);
    k = compact(a, 6, b);
    printf("%d %g %g %g\n", k, b[0], b[1], b[k - 1]);
    while (i-- > 0 && b[i] < 100) b[i] = -i;
    printf("%d %g %g\n", i, b[2], b[0]);
    int bits = (((5 << 3) | 2) & ~8) ^ 1;
    bits |= 64;
    bits >>= 1;
    printf("%d %d %d\n", bits, -7 / 2, -7 % 3);
    printf("%d\n", (a[0] > 5) + (a[1] > 5) * 2 - !bits);
    return 0;
}
