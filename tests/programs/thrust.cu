// thrust's vectors, iterators and algorithms, held to what plain loops give.
#include <cstdio>
#include <vector>

#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

// CUDA's headers bring it along, and programs count on that.
static_assert(std::chrono::seconds(1).count() == 1, "");

static int wrong;

static void is(const char *what, double got, double want)
{
	if (got != want) {
		printf("WRONG %s: %g, not %g\n", what, got, want);
		wrong++;
	}
}

struct saxpy {
	float a;
	__host__ __device__ float operator()(float x, float y) const
	{ return a * x + y; }
};
struct square {
	__host__ __device__ float operator()(float x) const { return x * x; }
};
struct move {
	template <class Tuple> __host__ __device__ void operator()(Tuple t)
	{
		volatile float4 p = thrust::get<0>(t);

		thrust::get<0>(t) = make_float4(p.x + 1, 0, 0, 0);
		thrust::get<1>(t) = (int)p.x;
	}
};
struct numbers {
	int next = 0;
	__host__ __device__ int operator()() { return next++ * 7 % 10; }
};

/* By the thread that calls it, as the first time of each. */
struct places {
	int count = 0;
	__host__ __device__ int operator()()
	{
		int i = blockIdx.x * blockDim.x + threadIdx.x + count;

		count += blockDim.x * gridDim.x;
		return i;
	}
};

__global__ void twice(const int *from, int *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		to[i] = 2 * from[i];
}

__global__ void row_sums(const int *m, int *to)
{
	to[threadIdx.x] = thrust::reduce(thrust::seq, m + threadIdx.x * 4,
					 m + threadIdx.x * 4 + 4);
}

static void vectors()
{
	thrust::host_vector<int> h(100, 3);
	thrust::device_vector<int> d = h, e(100);
	std::vector<int> back(100);

	thrust::sequence(d.begin(), d.end());
	twice<<<4, 32>>>(thrust::raw_pointer_cast(d.data()),
			 thrust::raw_pointer_cast(&e[0]), (int)d.size());
	h = e;
	is("kernel", h[99], 198);
	e[3] = 5;
	e[3] += 2;
	is("element", e[3], 7);
	e.push_back(11);
	is("pushed", e.back(), 11);
	e.resize(200, 9);
	is("resized", e[199], 9);
	is("kept", e[98], 196);
	thrust::copy(e.begin(), e.begin() + 100, back.begin());
	is("copied", back[50], 100);
	row_sums<<<1, 4>>>(d.data().get(), e.data().get());
	is("in a kernel", e[1], 4 + 5 + 6 + 7);
	thrust::device_vector<int> f(back.begin(), back.end()), g;
	g = f;
	f.clear();
	is("assigned", g[10], 20);
	is("cleared", f.size(), 0);
}

static void sums()
{
	thrust::device_vector<float> x(64), y(64, 1.0f);
	thrust::device_vector<int> v{ 3, 1, 4, 1, 5, 9, 2, 6 }, w(8);

	thrust::sequence(x.begin(), x.end(), 1.0f);
	thrust::transform(x.begin(), x.end(), y.begin(), y.begin(),
			  saxpy{ 2.0f });
	is("saxpy", y[63], 129);
	is("reduce", thrust::reduce(x.begin(), x.end()), 2080);
	is("policy", thrust::reduce(thrust::device, x.begin(), x.end(), 20.0f,
				    thrust::plus<float>()), 2100);
	is("norm", thrust::transform_reduce(x.begin(), x.begin() + 4, square(),
					    0.0f, thrust::plus<float>()), 30);
	is("inner", thrust::inner_product(v.begin(), v.end(), v.begin(), 0),
	   173);
	is("count", thrust::count(v.begin(), v.end(), 1), 2);
	is("largest", thrust::max_element(v.begin(), v.end()) - v.begin(), 5);
	is("least", *thrust::min_element(v.begin(), v.end()), 1);
	thrust::exclusive_scan(v.begin(), v.end(), w.begin());
	is("exclusive", w[7], 25);
	thrust::exclusive_scan(w.begin(), w.end(), w.begin(), 10);
	is("in place", w[2], 13);
	thrust::inclusive_scan(v.begin(), v.end(), w.begin(),
			       thrust::maximum<int>());
	is("running maximum", w[4], 5);
	thrust::adjacent_difference(v.begin(), v.end(), w.begin());
	is("difference", w[5], 4);
}

static void orders()
{
	thrust::device_vector<int> k{ 3, 1, 4, 1, 5 }, v(5), out(5), sum(5);

	thrust::sequence(v.begin(), v.end());
	thrust::sort_by_key(k.begin(), k.end(), v.begin());
	is("key", k[1], 1);
	is("stable", v[1], 3);
	auto ends = thrust::reduce_by_key(
		k.begin(), k.end(), thrust::make_counting_iterator(10),
		out.begin(), sum.begin());
	is("keys", ends.first - out.begin(), 4);
	is("by key", sum[0], 21);
	thrust::unique_by_key_copy(k.begin(), k.end(),
				   thrust::make_counting_iterator(0),
				   thrust::make_discard_iterator(),
				   out.begin());
	is("first of a key", out[1], 2);
	is("bound", thrust::lower_bound(k.begin(), k.end(), 4) - k.begin(), 3);
	thrust::sort(k.begin(), k.end(), thrust::greater<int>());
	is("greater", k[0], 5);
	k.erase(thrust::unique(k.begin(), k.end()), k.end());
	is("unique", k.size(), 4);
	is("removed", thrust::remove(k.begin(), k.end(), 3) - k.begin(), 3);
	thrust::gather(v.begin(), v.end(), v.begin(), out.begin());
	is("gathered", out[0], v[v[0]]);
	thrust::generate(v.begin(), v.end(), numbers());
	is("generated", v[3], 1);
	thrust::generate(v.begin(), v.end(), places());
	is("by one thread", v[4], 4);
}

static void iterators()
{
	float4 *p;
	int *q;

	cudaMalloc(&p, 4 * sizeof(*p));
	cudaMalloc(&q, 4 * sizeof(*q));
	thrust::device_ptr<float4> at(p);
	thrust::device_ptr<int> n(q);
	thrust::fill(at, at + 4, make_float4(6, 0, 0, 0));
	thrust::for_each(
		thrust::make_zip_iterator(thrust::make_tuple(at, n)),
		thrust::make_zip_iterator(thrust::make_tuple(at + 4, n + 4)),
		move());
	is("zip", ((float4)at[3]).x, 7);
	is("tuple", n[3], 6);
	thrust::sequence(n, n + 4);
	thrust::sort(thrust::make_zip_iterator(thrust::make_tuple(n, at)),
		     thrust::make_zip_iterator(
			     thrust::make_tuple(n + 4, at + 4)),
		     [](const thrust::tuple<int, float4> &a,
			const thrust::tuple<int, float4> &b)
		     { return thrust::get<0>(a) > thrust::get<0>(b); });
	is("sorted tuples", n[0], 3);
	is("squares", thrust::reduce(
		thrust::make_transform_iterator(
			thrust::make_counting_iterator(1), square()),
		thrust::make_transform_iterator(
			thrust::make_counting_iterator(4), square())), 14);
	cudaFree(p);
	cudaFree(q);
}

int main()
{
	thrust::default_random_engine rng;
	thrust::uniform_int_distribution<int> of(0, 99);
	thrust::uniform_real_distribution<float> u;

	vectors();
	sums();
	orders();
	iterators();
	/* 48271 and 182605794 of 1..2147483646, as thrust has them. */
	is("uniform", u(rng), 48270.0f / 2147483648.0f);
	is("integer", of(rng), 8);
	puts(wrong ? "FAIL" : "PASS");
}
