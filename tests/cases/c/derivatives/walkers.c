// Pointers that walk, side effects within expressions, do loops.

static double horner(const double *c, int n, double x)
{
    const double *q = c;
    double r = *q++;
    int i = n;
    do
        r = r * x + *q++;
    while (--i);
    return r;
}

void p(int n, const double *restrict x, int m, double *restrict y)
{
    const double *from = x;
    double *to = y, *end = y + m;
    int k = 0;
    while (to != end) {
        double t = *from++;
        *to++ = horner(x, 3, t) * x[k++] + t;
        if (from >= x + n) from = x;
    }
    y[0] += y[1] * (k > 2 ? x[2] : x[3]);
}
