// Recursion, direct and mutual; parameters that are changed.
#include <stdio.h>

static int odd(int n);

static int even(int n) { return n == 0 ? 1 : odd(n - 1); }

static int odd(int n)
{
    if (n == 0) return 0;
    return even(n - 1);
}

static double power(double x, int n)
{
    if (n < 0) return 1 / power(x, -n);
    double r = 1;
    for (; n; n /= 2, x *= x)
        if (n % 2) r *= x;
    return r;
}

static double quad(double a, double b, double fa, double fb, int depth)
{
    double m = (a + b) / 2, fm = 1 / (1 + m * m);
    double whole = (b - a) * (fa + fb) / 2, parts = (b - a) * (fa + 2 * fm + fb) / 4;
    if (depth <= 0 || (whole - parts < 1e-9 && parts - whole < 1e-9)) return parts;
    return quad(a, m, fa, fm, depth - 1) + quad(m, b, fm, fb, depth - 1);
}

static void hanoi(int n, int from, int to, int *moves)
{
    if (n == 0) return;
    hanoi(n - 1, from, 6 - from - to, moves);
    *moves += from * to;
    hanoi(n - 1, 6 - from - to, to, moves);
}

int main(void)
{
    int moves = 0;
    hanoi(5, 1, 3, &moves);
    printf("%d %d %d\n", even(10), odd(7), moves);
    printf("%.12g %.12g %.10f\n", power(1.5, 9), power(2, -3), quad(0, 1, 1, 0.5, 14));
    return 0;
}
