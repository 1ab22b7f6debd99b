// A cell of an LSTM: parts of arrays as arguments, parameters that are changed.
#include <math.h>

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

static void cell(int h, const double *weight, const double *bias, double *hidden, double *state, const double *input)
{
    for (int i = 0; i < h; ++i) {
        double forget = sigmoid(input[i] * weight[i] + bias[i]);
        double ingate = sigmoid(hidden[i] * weight[h + i] + bias[i]);
        double change = tanh(hidden[i] * weight[i] + input[i]);
        state[i] = state[i] * forget + ingate * change;
        hidden[i] = forget * tanh(state[i]);
    }
}

void p(int n, const double *restrict x, int m, double *restrict y)
{
    double hidden[3] = {0.1, -0.2, 0.3}, state[3] = {0}, input[3], weight[9];
    for (int i = 0; i < 9; i++) weight[i] = x[i] * x[n - 1 - i];
    for (int t = 0; t + 3 <= n; t += 3) {
        for (int i = 0; i < 3; i++) input[i] = x[t + i];
        cell(3, weight, weight + 6, hidden, state, input);
    }
    for (int k = 0; k < m; k++) y[k] = k < 3 ? hidden[k] : state[k - 3];
}
