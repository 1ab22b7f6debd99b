double p(int n, const double *restrict x)
{
    const float *f = (const float *)x; // OX1301
    return f[n];
}
