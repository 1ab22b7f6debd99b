// Variables that last: static ones of functions and of the file, constants, tables.
#include <stdio.h>

static int calls;
double total = 1.5;
static const int primes[] = {2, 3, 5, 7, 11};
static double history[2][3] = {{1, 2, 3}, {4, 5}};

static double next(void)
{
    static double state = 0.5;
    static int n;
    n++;
    state = 3.6 * state * (1 - state);
    calls += n;
    return state;
}

static void remember(double x)
{
    for (int i = 2; i > 0; i--) history[0][i] = history[0][i - 1];
    history[0][0] = x;
    total += x;
}

int main(void)
{
    double last = 0;
    for (int i = 0; i < 5; i++) {
        last = next();
        remember(last * primes[i]);
    }
    printf("%.12g %.12g %d\n", last, total, calls);
    printf("%.12g %.12g %g %g\n", history[0][0], history[0][2], history[1][1], history[1][2]);
    printf("%d\n", (int)(sizeof primes / sizeof primes[0]));
    return 0;
}
