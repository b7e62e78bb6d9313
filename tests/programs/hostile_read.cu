// A program's host reads what it may not.
#include <cstdio>
__global__ void k(float *A) { A[threadIdx.x] = 1; }
int main()
{
    char line[100] = "";
    FILE *f = fopen("/etc/passwd", "r");
    if (f)
        fgets(line, sizeof(line), f);
    printf("read: %s\n", f ? line : "nothing");
    k<<<1, 1>>>(nullptr);
    return 0;
}
