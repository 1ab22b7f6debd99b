double p(double x)
{
    long double y = x; // OX1301
    return y * y;
}
