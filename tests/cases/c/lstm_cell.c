// A cell of an LSTM and a two-layer prediction: arrays that are parts of arrays.
#include <math.h>
#include <stdio.h>

#define H 3

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* gates: forget, input, output, change */
static void cell(int hsize, const double *weight, const double *bias, double *hidden, double *state, const double *input)
{
    for (int i = 0; i < hsize; ++i) {
        double forget = sigmoid(input[i] * weight[i] + bias[i]);
        double ingate = sigmoid(hidden[i] * weight[hsize + i] + bias[hsize + i]);
        double outgate = sigmoid(input[i] * weight[2 * hsize + i] + bias[2 * hsize + i]);
        double change = tanh(hidden[i] * weight[3 * hsize + i] + bias[3 * hsize + i]);
        state[i] = state[i] * forget + ingate * change;
        hidden[i] = outgate * tanh(state[i]);
    }
}

static double logsumexp(const double *vect, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += exp(vect[i]);
    sum += 2;
    return log(sum);
}

int main(void)
{
    double w[2 * 8 * H], s[2 * 2 * H], x[H] = {0.3, -0.7, 1.1}, y[H];
    for (int i = 0; i < 2 * 8 * H; i++) w[i] = 0.1 * ((i * 7) % 11) - 0.4;
    for (int i = 0; i < 2 * 2 * H; i++) s[i] = 0.05 * i;
    for (int t = 0; t < 3; t++) {
        double g[H];
        cell(H, w, w + 4 * H, s, &s[H], x);
        cell(H, &w[8 * H], w + 12 * H, &s[2 * H], s + 3 * H, s);
        for (int i = 0; i < H; i++) y[i] = s[2 * H + i] + x[i];
        g[0] = logsumexp(y, H);
        x[t] += g[0];
    }
    printf("%.12g %.12g %.12g\n", y[0], y[1], y[2]);
    return 0;
}
