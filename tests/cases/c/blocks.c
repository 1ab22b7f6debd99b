// Blocks with variables of the same names, typedefs of arithmetic types, unused values, comma in loops.
#include <stdio.h>
#include <stdlib.h>

typedef double real;
typedef int integer;

static integer check(integer x)
{
    if (x > 100) {
        printf("too large\n");
        exit(3);
    }
    return x + 1;
}

static real blocks(integer n)
{
    real x = 1;
    {
        real x = 2;
        for (integer i = 0, x2 = 3; i < n; i++, x2 += 2) {
            real x = x2 * 0.5;
            if (i == 2) continue;
            x *= 2;
            n -= x > 8;
        }
        x += n;
        {
            integer x = 7;
            n += x;
        }
        n += (integer)x;
    }
    return x + n;
}

int main(void)
{
    check(3);
    (void)check(4);
    printf("%g %g %d\n", blocks(3), blocks(9), check(check(1)));
    real *p = calloc(4, sizeof(real));
    p[2] = 1.5;
    printf("%g %g\n", p[0], p[2] + p[3]);
    free(p);
    check(101);
    printf("not reached\n");
    return 0;
}
