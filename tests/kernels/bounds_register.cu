// accum[4] is no element of accum.
__global__ void bounds_register(const float *A, float *C, int N)
{
    float other[4] = {};
    float accum[4] = {};
    float more[4] = {};

    for (int i = 0; i <= 4; ++i)
        accum[i] += A[i];
    C[0] = accum[0] + other[N & 3] + more[N & 3];
}
