// Conversions: of small integers, between integers and real numbers, of single precision.
#include <stdio.h>

static short narrow(int x) { return (short)(x / 3); }

static float mean(const float *x, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    return s / n;
}

int main(void)
{
    signed char c = 100;
    short s = 30000;
    long big = 1L << 40;
    int i = c + s;
    float f[3] = {0.1f, 0.2f, 0.4f};
    double d = i / 7 + i / 7.0;
    i += 2.9;
    i -= (int)-1.5;
    big += s * 2L;
    s = narrow(i);
    f[0] = 16777217.0;
    printf("%d %d %ld\n", i, s, big);
    printf("%.12g %.9g %.9g\n", d, f[0] + f[1], mean(f, 3));
    printf("%d %d %d\n", (int)3.99, (int)-3.99, 'a' + 1);
    printf("%.12g %.12g\n", 1 / 2 * 1.0, 1 / 2.0f);
    printf("%5d|%-5d|%05d|%+d|%x|%c|%%\n", 42, 42, 42, 42, 255, 'z');
    printf("%10.3e|%-10.2f|%G|%g|%g\n", 12345.678, 3.14159, 1e-10, 1e5, 1e6);
    return 0;
}
