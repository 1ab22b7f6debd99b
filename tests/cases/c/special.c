// Special functions by series, continued fractions and polynomials.
#include <math.h>
#include <stdio.h>

static const double coefficients[6] = {
    76.18009172947146, -86.50532032941677, 24.01409824083091,
    -1.231739572450155, 0.1208650973866179e-2, -0.5395239384953e-5};

static double polevl(double x, const double *coef, int n)
{
    const double *p = coef;
    double ans = *p++;
    int i = n;
    do
        ans = ans * x + *p++;
    while (--i);
    return ans;
}

double gammln(double xx)
{
    double y = xx, x = xx;
    double tmp = x + 5.5;
    tmp -= (x + 0.5) * log(tmp);
    double ser = 1.000000000190015;
    for (int j = 0; j <= 5; j++)
        ser += coefficients[j] / ++y;
    return -tmp + log(2.5066282746310005 * ser / x);
}

/* incomplete gamma function */
double gammp(double a, double x)
{
    double sum, del, ap, gln;
    int n;
    if (x < 0.0 || a <= 0.0)
        return -1.0;
    gln = gammln(a);
    if (x < a + 1.0) {
        ap = a;
        del = sum = 1.0 / a;
        for (n = 1; n <= 100; n++) {
            ++ap;
            del *= x / ap;
            sum += del;
            if (fabs(del) < fabs(sum) * 3.0e-15)
                return sum * exp(-x + a * log(x) - gln);
        }
        return sum;
    } else {
        double b = x + 1.0 - a, c = 1.0e300, d = 1.0 / b, h = d;
        for (n = 1;; n++) {
            double an = -n * (n - a);
            b += 2.0;
            d = an * d + b;
            if (fabs(d) < 1e-300) d = 1e-300;
            c = b + an / c;
            if (fabs(c) < 1e-300) c = 1e-300;
            d = 1.0 / d;
            double step = d * c;
            h *= step;
            if (fabs(step - 1.0) < 3e-15 || n > 200) break;
        }
        return 1.0 - exp(-x + a * log(x) - gln) * h;
    }
}

float single(float x)
{
    float s = x;
    for (int i = 0; i < 4; i++) s = sqrtf(s * 1.5f) + sinf(x) / (i + 1);
    return s;
}

int main(void)
{
    const double c[4] = {2.0, -1.0, 0.5, 3.0};
    printf("%.14g\n", polevl(1.25, c, 3));
    printf("%.12g %.12g\n", gammln(4.5), gammln(0.7));
    printf("%.12g %.12g %.12g\n", gammp(2.0, 1.0), gammp(2.0, 6.0), gammp(-1.0, 2.0));
    printf("%.7g\n", single(0.75f));
    printf("%.12g %.12g %.12g\n", fmod(7.5, 2.0), floor(-2.5) + ceil(1.25), copysign(3.0, -0.5));
    printf("%.12g %.12g %.12g\n", pow(2.0, 0.5), pow(3.0, 4), hypot(3, 4));
    printf("%.12g %.12g\n", fmax(1.0, 2.0) - fmin(-1, 4), atan2(1.0, -2.0));
    return 0;
}
