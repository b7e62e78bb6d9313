// OpenMP in a program's host: teams, loops, sections, singles, tasks, locks.
#include <cstdio>
#include <vector>

#include <omp.h>

static int wrong;

#define SAME(got, want) same(got, want, __LINE__)
static void same(long got, long want, int line)
{
    if (got != want && ++wrong)
        printf("line %d: %ld, not %ld\n", line, got, want);
}

__global__ void add(int *to, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[i] += value;
}

// A device for each thread, in turn, and a part of the array.
static void devices(int count)
{
    int devices = 0, n = 240, seen = 0;
    std::vector<int> a(n);

    cudaGetDeviceCount(&devices);
    omp_set_num_threads(count);
#pragma omp parallel
    {
        int me = omp_get_thread_num(), of = omp_get_num_threads();
        int part = n / of, *to;

        cudaSetDevice(me % devices);
        cudaMalloc(&to, part * sizeof(int));
        cudaMemcpy(to, &a[me * part], part * sizeof(int),
                   cudaMemcpyHostToDevice);
        add<<<(part + 31) / 32, 32>>>(to, part, me + 1);
        cudaMemcpy(&a[me * part], to, part * sizeof(int),
                   cudaMemcpyDeviceToHost);
        cudaFree(to);
#pragma omp atomic
        seen++;
    }
    SAME(seen, count);
    for (int i = 0; i < n; i++)
        SAME(a[i], i / (n / count) + 1);
}

template <class F> static void covers(int n, F loop)
{
    std::vector<int> times(n), by(n, -1);

    loop(times, by);
    for (int i = 0; i < n; i++)
        SAME(times[i], 1);
}

static void loops()
{
    long sum = 0, product = 1;
    unsigned long long down = 0;

#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 1000; i++)
        sum += i;
    SAME(sum, 499500);
#pragma omp parallel for reduction(* : product) schedule(dynamic, 2)
    for (int i = 1; i <= 10; i++)
        product *= i;
    SAME(product, 3628800);
#pragma omp parallel for reduction(+ : down) schedule(guided)
    for (unsigned long long i = 100; i > 3; i -= 3)
        down += i;
    SAME(down, 1716);
    covers(101, [](std::vector<int> &times, std::vector<int> &by) {
#pragma omp parallel for schedule(static, 3) num_threads(5)
        for (int i = 0; i < 101; i++) {
            times[i]++;
            by[i] = omp_get_thread_num();
        }
        SAME(by[0], 0);
        SAME(by[3], 1);
        SAME(by[15], 0);
    });
    covers(50, [](std::vector<int> &times, std::vector<int> &by) {
#pragma omp parallel num_threads(3)
        {
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < 50; i++) {
                times[i]++;
                by[i] = omp_get_thread_num();
            }
#pragma omp for schedule(runtime)
            for (int i = 49; i >= 0; i--)
                times[i]--;
#pragma omp for collapse(2)
            for (int i = 0; i < 5; i++)
                for (int k = 0; k < 10; k++)
                    times[i * 10 + k]++;
        }
        int others = 0;
        for (int who : by)
            others += who != 0;
        SAME(others > 0, true);
    });
    std::vector<int> order;
#pragma omp parallel for ordered schedule(dynamic) num_threads(4)
    for (int i = 0; i < 20; i++) {
#pragma omp ordered
        order.push_back(i);
    }
    for (int i = 0; i < 20; i++)
        SAME(order[i], i);
}

static int mine;
#pragma omp threadprivate(mine)

static void parts()
{
    int a = 0, b = 0, c = 0, once = 0, copied = 0, inside = 0, tasks = 0;
    omp_lock_t lock;
    omp_nest_lock_t nested;

    omp_init_lock(&lock);
    omp_init_nest_lock(&nested);
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        a = 1;
#pragma omp section
        b = 2;
#pragma omp section
        c = 3;
    }
    SAME(a * 100 + b * 10 + c, 123);
    mine = 9;
#pragma omp parallel num_threads(4) copyin(mine)
    {
        int value;

        SAME(mine, 9);
        mine = omp_get_thread_num();
#pragma omp single copyprivate(value)
        value = 5;
#pragma omp atomic
        copied += value;
#pragma omp barrier
        SAME(copied, 20);
        SAME(mine, omp_get_thread_num());
#pragma omp single
        once++;
#pragma omp critical
        inside++;
#pragma omp critical(named)
        {
            omp_set_lock(&lock);
            inside++;
            omp_unset_lock(&lock);
        }
        omp_set_nest_lock(&nested);
        omp_set_nest_lock(&nested);
        omp_unset_nest_lock(&nested);
        omp_unset_nest_lock(&nested);
#pragma omp master
        {
            SAME(omp_get_num_threads(), 4);
            SAME(omp_in_parallel(), 1);
        }
#pragma omp single
        {
            for (int i = 0; i < 10; i++)
#pragma omp task firstprivate(i) shared(tasks)
            {
#pragma omp atomic
                tasks += i;
            }
#pragma omp taskwait
            SAME(tasks, 45);
        }
#pragma omp parallel num_threads(3)
        SAME(omp_get_num_threads(), 1);
    }
    SAME(once, 1);
    SAME(inside, 8);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
#pragma omp atomic
    inside++;
    SAME(inside, 14);
    SAME(omp_in_parallel(), 0);
    SAME(omp_get_thread_num(), 0);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nested);
}

int main()
{
    double began = omp_get_wtime();

    devices(1);
    devices(4);
    devices(6);
    loops();
    parts();
    SAME(omp_get_wtime() >= began, true);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
