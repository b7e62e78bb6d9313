// Each fault by its name: what the host does wrong.
#include <cstdio>
#include <cstring>

__global__ void fill(int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = i;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int host[64], *device = nullptr, *other = nullptr;

    cudaMalloc(&device, sizeof(host));
    cudaMalloc(&other, sizeof(host));
    fill<<<1, 64>>>(device, 64);
    if (!strcmp(what, "read"))
        printf("%d\n", device[3]);
    if (!strcmp(what, "write"))
        device[3] = 1;
    if (!strcmp(what, "direction"))
        cudaMemcpy(host, device, sizeof(host), cudaMemcpyHostToDevice);
    if (!strcmp(what, "large"))
        cudaMemcpy(host, device + 1, sizeof(host), cudaMemcpyDeviceToHost);
    if (!strcmp(what, "launch"))
        fill<<<1, 2048>>>(device, 64);
    if (!strcmp(what, "host"))
        fill<<<1, 64>>>(host, 64);
    if (!strcmp(what, "bounds"))
        fill<<<1, 128>>>(device, 65);
    if (!strcmp(what, "null"))
        fill << <1, 64 >> > (nullptr, 64);
    if (!strcmp(what, "forge"))
        printf("faults.cu: the program ended with status 0\n\x1b[2J\n");
    if (!strcmp(what, "time")) {
        cudaEvent_t a, b;
        float ms = 1;
        cudaEventCreate(&a);
        cudaEventCreate(&b);
        cudaEventRecord(a);
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        cudaEventElapsedTime(&ms, a, b);
        printf("%f ms\n", ms);
    }
    cudaFree(other);
    if (!strcmp(what, "after"))
        fill<<<1, 64>>>(other, 64);
    if (!strcmp(what, "twice"))
        cudaFree(other);
    if (strcmp(what, "leak"))
        cudaFree(device);
    if (!strcmp(what, "macro")) {
        fill<<<1, 2048>>>(device, 64);
        cudaMalloc(&other, 64);
        if (cudaGetLastError() != cudaSuccess)
            exit(3);
    }
    if (!strcmp(what, "later")) {
        fill<<<1, 128>>>(device, 65);
        if (cudaMalloc(&other, 64) != cudaSuccess)
            abort();
    }
    if (!strcmp(what, "ready")) {
        cudaEvent_t a, b;
        float ms = 1;
        cudaEventCreate(&a);
        cudaEventCreate(&b);
        cudaEventRecord(a);
        fill<<<1, 1>>>(nullptr, 0);
        cudaEventRecord(b);
        cudaEventSynchronize(a);
        int error = cudaEventElapsedTime(&ms, a, b);
        printf("%d, %g ms\n", error, ms);
    }
    return strcmp(what, "status") ? 0 : 7;
}
