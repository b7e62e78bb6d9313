// malloc() and new in kernels: memory that lives on, of which threads have
// pieces; what is wrong with its use, by a number; and virtual functions.
#include <cstdio>
#include <new>
#include <string>
#include <vector>

struct shape {
    __device__ virtual ~shape() {}
    __device__ virtual int sides() const = 0;
};

struct polygon : shape {
    int *corner, n;

    __device__ polygon(int n) : corner(new int[n]), n(n)
    {
        for (int i = 0; i < n; i++)
            corner[i] = i;
    }
    __device__ ~polygon() { delete[] corner; }
    __device__ int sides() const { return n; }
};

__global__ void make(shape **to)
{
    to[threadIdx.x] = new polygon(3 + threadIdx.x);
}

__global__ void use(shape *const *of, int *to)
{
    const polygon *p = (const polygon *)of[threadIdx.x];

    to[threadIdx.x] = of[threadIdx.x]->sides() + p->corner[2];
}

__global__ void drop(shape **of)
{
    delete of[threadIdx.x];
}

__global__ void in_place(int *to)
{
    __shared__ alignas(8) char room[sizeof(polygon)];
    __shared__ shape *s;

    if (threadIdx.x == 0)
        s = new (room) polygon(7);
    __syncthreads();
    to[threadIdx.x] = s->sides();
    __syncthreads();
    if (threadIdx.x == 0)
        s->~shape();
}

// More in all than the heap has, but not at once.
__global__ void again(int *to)
{
    int sum = 0;

    for (int i = 0; i < 300; i++) {
        int *p = (int *)malloc(1000 * sizeof(int));

        p[threadIdx.x] = i;
        sum += p[threadIdx.x];
        free(p);
    }
    to[threadIdx.x] = sum;
}

__global__ void large(int *to)
{
    char *p = (char *)malloc(1 << 20);

    p[(1 << 20) - 1] = 1;
    to[0] = malloc(9 << 20) == nullptr;
    free(p);
    free(nullptr);
}

__global__ void twice()
{
    void *p = malloc(64);

    free(p);
    free(p);
}

__global__ void other(int *p)
{
    free(p);
}

__global__ void unset(int *to)
{
    int *p = new int[4];

    to[0] = p[3];
    delete[] p;
}

__global__ void past(int *to)
{
    int *p = new int[4];

    p[40000] = 1;
    to[0] = p[0];
}

__global__ void keep(int **to)
{
    *to = new int(7);
}

__global__ void late_read(int *to)
{
    int *p = new int[4], *q = new int[4];

    p[3] = q[3] = 5;
    delete[] q;
    to[0] = p[3] + q[3];
    delete[] p;
}

__global__ void late_write()
{
    int *p = new int[4];

    p[3] = 5;
    delete[] p;
    p[3] = 6;
}

static int expect(const int *got, int first, int step)
{
    int wrong = 0;

    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++)
        wrong += got[i] != first + i * step;
    return wrong;
}

int main(int argc, char **argv)
{
    std::vector<std::string> words;
    shape **s;
    int **kept, *got, wrong = 0;
    size_t limit = 0;

    for (int i = 0; i < 100; i++)
        words.push_back(std::string(i, 'x'));
    cudaMalloc(&s, 32 * sizeof(*s));
    cudaMallocManaged(&got, 32 * sizeof(*got));
    cudaMallocManaged(&kept, sizeof(*kept));
    switch (argc > 1 ? *argv[1] : '0') {
    case '0':
        cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
        wrong += limit != 8 << 20;
        make<<<1, 32>>>(s);
        use<<<1, 32>>>(s, got);
        wrong += expect(got, 5, 1);
        drop<<<1, 32>>>(s);
        in_place<<<1, 32>>>(got);
        wrong += expect(got, 7, 0);
        again<<<1, 32>>>(got);
        wrong += expect(got, 44850, 0);
        large<<<1, 1>>>(got);
        cudaDeviceSynchronize();
        wrong += got[0] != 1;
        wrong += cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24) !=
                 cudaErrorInvalidValue;
        cudaGetLastError();
        printf("%d wrong\n", wrong);
        break;
    case '1': twice<<<1, 1>>>(); break;
    case '2': other<<<1, 1>>>(got); break;
    case '3': unset<<<1, 1>>>(got); break;
    case '4': past<<<1, 1>>>(got); break;
    case '5':
        keep<<<1, 1>>>(kept);
        cudaDeviceSynchronize();
        printf("%d\n", **kept);
        break;
    case '6': late_read<<<1, 1>>>(got); break;
    case '7': late_write<<<1, 1>>>();
    }
    cudaDeviceSynchronize();
    cudaFree(s);
    cudaFree(got);
    cudaFree(kept);
    return wrong;
}
