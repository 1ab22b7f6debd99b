double p(double x)
{
    return x * * ; // OX1300
}
