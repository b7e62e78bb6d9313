// A program's host writes a file.
#include <cstdio>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
    FILE *f = fopen("@DIR@/canary", "w");
    if (f)
        fputs("x", f);
    return 0;
}
