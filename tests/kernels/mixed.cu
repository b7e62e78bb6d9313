// Many ways to touch memory: widths from 1 to 16 bytes, structures, pointers
// into arrays, functions in functions, a switch, loops that lanes leave early.
struct pair { int first; float second; };

__device__ float tail(const double *d, int n)
{
    double sum = 0.0;

    for (int i = n; i < 4; ++i)
        sum += d[i];
    return (float)sum;
}

__device__ float pick(const float4 *v, int i)
{
    double all[4] = { v->x, v->y, v->z, v->w };

    return tail(all, i & 3);
}

__global__ void mixed(const float *A, const float *B, float *C,
                      int M, int N, int K)
{
    __shared__ pair pairs[64];
    __shared__ double wide[8][9];
    __shared__ unsigned char bytes[256];
    __shared__ float4 four[16];
    int t = threadIdx.x;
    float sum = 0.0f;

    pairs[t].first = t * 7 % 64;
    pairs[t].second = A[t];
    wide[t / 8][t % 8] = B[t];
    bytes[4 * t + 1] = (unsigned char)(3 * t);
    if (t < 16)
        four[t] = reinterpret_cast<const float4 *>(A)[t];
    __syncthreads();

    for (int i = 0; i < K; ++i) {
        if ((t + i) % 5 == 0)
            continue;
        if (i > t)
            break;
        switch ((t ^ i) & 3) {
        case 0:
            sum += pairs[pairs[t].first].second;
            break;
        case 1:
            sum += (float)wide[t % 8][t / 8];
            break;
        case 2:
            sum += bytes[4 * i + 1];
            break;
        default:
            sum += pick(&four[t & 15], i);
        }
    }
    __syncthreads();
    short small[3] = { (short)t, (short)(t + 1), (short)sum };
    if (t < M && N > 0)
        C[t] = sum + small[t % 3];
}
