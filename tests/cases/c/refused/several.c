double p(int n, const double *restrict x, const double *restrict z)
{
    const double *q = x; // OX1301
    if (n > 3) q = z;
    return q[0] * q[1];
}
