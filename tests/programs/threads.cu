// Threads of the host: C++'s and POSIX's, and what they wait with.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <mutex>
#include <queue>
#include <semaphore.h>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>

static int wrong;

#define SAME(got, want) same(got, want, __LINE__)
static void same(long got, long want, int line)
{
    if (got != want && ++wrong)
        printf("line %d: %ld, not %ld\n", line, got, want);
}

__global__ void fill(int *to, int value)
{
    to[threadIdx.x] = value + threadIdx.x;
}

// Each thread has a stream, memory and results of its own.
static int filled(int value)
{
    std::vector<int> got(64);
    cudaStream_t s;
    int *to, sum = 0;

    cudaStreamCreate(&s);
    cudaMalloc(&to, got.size() * sizeof(int));
    fill<<<1, 64, 0, s>>>(to, value);
    cudaMemcpyAsync(got.data(), to, got.size() * sizeof(int),
                    cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    for (int v : got)
        sum += v;
    cudaFree(to);
    cudaStreamDestroy(s);
    return sum;
}

static void joined()
{
    std::vector<std::thread> threads;
    std::vector<int> sums(6);
    std::mutex m;
    long all = 0;

    for (int i = 0; i < 6; i++)
        threads.emplace_back([&, i] {
            sums[i] = filled(i);
            std::lock_guard<std::mutex> hold(m);
            all += sums[i];
        });
    for (std::thread &t : threads)
        t.join();
    SAME(all, 6 * 63 * 32 + 64 * 15);
}

// One makes numbers, another takes them, a third waits with a limit.
static void queued()
{
    std::queue<int> queue;
    std::mutex m;
    std::condition_variable filled;
    bool done = false;
    long sum = 0;
    std::thread taker([&] {
        for (;;) {
            std::unique_lock<std::mutex> hold(m);
            filled.wait(hold, [&] { return done || !queue.empty(); });
            if (queue.empty())
                return;
            sum += queue.front();
            queue.pop();
        }
    });
    std::thread limited([&] {
        std::unique_lock<std::mutex> hold(m);
        std::condition_variable never;

        SAME(never.wait_for(hold, std::chrono::milliseconds(5)) ==
                 std::cv_status::timeout, true);
    });
    for (int i = 1; i <= 100; i++) {
        std::lock_guard<std::mutex> hold(m);
        queue.push(i);
        filled.notify_one();
    }
    {
        std::lock_guard<std::mutex> hold(m);
        done = true;
    }
    filled.notify_all();
    taker.join();
    limited.join();
    SAME(sum, 5050);
}

static void promised()
{
    std::promise<int> promise;
    std::future<int> later = promise.get_future();
    std::thread t([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        promise.set_value(7);
    });
    std::future<int> async = std::async(std::launch::async, filled, 3);
    std::future<int> thrown = std::async(std::launch::async, []() -> int {
        throw std::runtime_error("as it should");
    });

    SAME(later.wait_for(std::chrono::milliseconds(0)) ==
             std::future_status::timeout, true);
    SAME(later.get(), 7);
    SAME(async.get(), 63 * 32 + 64 * 3);
    try {
        thrown.get();
        SAME(0, 1);
    } catch (const std::runtime_error &e) {
        SAME(std::string(e.what()) == "as it should", true);
    }
    t.join();
}

// Waits in loops that nobody is told of.
static void spinning()
{
    std::atomic<int> stage{0};
    std::thread a([&] {
        while (stage != 1)
            ;
        stage = 2;
    });
    stage = 1;
    while (stage != 2)
        ;
    a.join();
    SAME(stage, 2);
}

thread_local int counter = 5;
static int ended;
struct counted {
    int value = 10;
    ~counted() { ended += value; }
};
thread_local counted object;

static void local()
{
    counter++;
    object.value++;
    std::thread t([] {
        SAME(counter, 5);
        counter = 100;
        object.value = 1000;
    });
    t.join();
    SAME(counter, 6);
    SAME(ended, 1000);
    SAME(object.value, 11);
}

static void shared()
{
    std::shared_mutex m;
    std::recursive_mutex r;
    std::vector<std::thread> threads;
    int value = 0, reads = 0;

    for (int i = 0; i < 4; i++)
        threads.emplace_back([&, i] {
            if (i % 2) {
                std::unique_lock<std::shared_mutex> hold(m);
                value++;
            } else {
                std::shared_lock<std::shared_mutex> hold(m);
                reads += value >= 0;
            }
            std::lock_guard<std::recursive_mutex> once(r);
            std::lock_guard<std::recursive_mutex> twice(r);
            std::this_thread::yield();
        });
    for (std::thread &t : threads)
        t.join();
    SAME(value, 2);
    SAME(reads, 2);
}

static pthread_barrier_t meeting;
static sem_t places;
static pthread_key_t key;
static int met[4], keyed;

static void key_end(void *value)
{
    keyed += *(int *)value;
    free(value);
}

static void *meets(void *number)
{
    long i = (long)number;
    int *own = (int *)malloc(sizeof(int));

    *own = (int)i;
    pthread_setspecific(key, own);
    sem_wait(&places);
    met[i] = 1;
    sem_post(&places);
    pthread_barrier_wait(&meeting);
    for (int k = 0; k < 4; k++)
        SAME(met[k], 1);
    SAME(*(int *)pthread_getspecific(key), i);
    if (i == 2)
        pthread_exit((void *)20);
    return (void *)(i * 10);
}

static void posix()
{
    pthread_t threads[4];
    void *result;

    pthread_barrier_init(&meeting, NULL, 4);
    sem_init(&places, 0, 1);
    pthread_key_create(&key, key_end);
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, meets, (void *)i);
    for (long i = 0; i < 4; i++) {
        pthread_join(threads[i], &result);
        SAME((long)result, i * 10);
    }
    SAME(keyed, 6);
    SAME(pthread_equal(threads[0], threads[1]), 0);
    pthread_barrier_destroy(&meeting);
    sem_destroy(&places);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        std::mutex a, b;
        std::thread t([&] {
            std::lock_guard<std::mutex> first(a);
            std::this_thread::yield();
            std::lock_guard<std::mutex> second(b);
        });
        std::lock_guard<std::mutex> first(b);
        std::lock_guard<std::mutex> second(a);
        t.join();
        return 0;
    }
    joined();
    queued();
    promised();
    spinning();
    local();
    shared();
    posix();
    std::thread([] { puts("last"); }).detach();
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
