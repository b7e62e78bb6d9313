// members: a structure in shared memory whose members are arrays, and an array
// of structures, which is one array.
struct pair { int first; float second; };

struct stage {
    float out;
    double wide[32];
    unsigned short narrow[2][16];
};

__global__ void members(const float *A, float *C)
{
    __shared__ stage s;
    __shared__ pair pairs[32];
    int t = threadIdx.x;

    s.wide[t] = A[t];
    s.narrow[t / 16][t % 16] = t;
    if (t == 0)
        s.out = 1.0f;
    pairs[t].first = t;
    pairs[t].second = A[t];
    __syncthreads();
    stage *to = &s;
    C[t] = to->wide[31 - t] + s.narrow[t % 2][t / 2] + to->out +
           pairs[t].second + pairs[t ^ 1].first;
}
