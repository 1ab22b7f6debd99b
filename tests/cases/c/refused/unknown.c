double p(double x)
{
    return x * mystery(x); // OX1301
}
