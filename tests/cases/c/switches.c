// switch with fall-through, default in the middle, ranges of enumerators, nested in loops.
#include <stdio.h>

enum kind { NONE, LINE = 3, CURVE, AREA };

static double measure(enum kind k, double a)
{
    double r = 1.0;
    switch (k) {
    case AREA:
        r *= a;
        /* fall through */
    case CURVE:
        r *= 1.5;
        /* fall through */
    case LINE:
        r *= a;
        break;
    default:
        return -1.0;
    case NONE:
        r = 0.0;
    }
    return r;
}

static int scan(const int *codes, int n)
{
    int sum = 0, i = 0;
    while (i < n) {
        switch (codes[i++]) {
        case 0:
            continue;
        case 1: case 2:
            if (sum > 40) break;
            sum += 10;
            break;
        case 3: {
            int twice = 2 * sum;
            sum = twice + 1;
            break;
        }
        case 99:
            goto done;
        default:
            sum--;
        }
        if (sum > 1000) break;
    }
done:
    return sum;
}

int main(void)
{
    int codes[9] = {1, 3, 0, 2, 7, 3, 1, 99, 3};
    printf("%g %g %g %g %g\n", measure(AREA, 2.0), measure(CURVE, 2.0), measure(LINE, 2.0), measure(NONE, 2.0), measure(2, 1.0));
    printf("%d %d %d\n", scan(codes, 9), scan(codes + 1, 3), scan(codes, 0));
    return 0;
}
