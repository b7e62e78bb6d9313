/*
 * gemmviz_thrust_algorithms: thrust's algorithms, one element after the other.
 * Where to run is taken as read: everything waits for what was launched before.
 */
#ifndef GEMMVIZ_THRUST_ALGORITHMS_H
#define GEMMVIZ_THRUST_ALGORITHMS_H

namespace thrust {

struct gemmviz_policy {
	template <class... T> gemmviz_policy on(const T &...) const
	{ return *this; }
	template <class... T> gemmviz_policy operator()(const T &...) const
	{ return *this; }
};
static const gemmviz_policy host, device, seq;
namespace cuda { static const gemmviz_policy par, par_nosync; }
namespace omp { static const gemmviz_policy par; }
namespace cpp { static const gemmviz_policy par; }
struct device_system_tag : gemmviz_policy {};
struct host_system_tag : gemmviz_policy {};
template <class P> using gemmviz_is_policy =
	std::is_base_of<gemmviz_policy, P>;

/* ---- what they do: `raw` iterators inside, the caller's outside ---- */

/* Members, so that they do not find the caller's by their arguments. */
struct gemmviz_do {

template <class I> using value_of =
	typename std::iterator_traits<I>::value_type;

#define GEMMVIZ_RANGE \
	auto at = gemmviz_raw(first); \
	auto end = gemmviz_raw(last)

template <class I, class O> O copy(I first, I last, O to)
{
	GEMMVIZ_RANGE;
	auto out = gemmviz_raw(to);
	ptrdiff_t n = 0;

	for (; at != end; ++at, ++out, ++n)
		*out = *at;
	return std::next(to, n);
}
template <class I, class N, class O> O copy_n(I first, N n, O to)
{ return copy(first, std::next(first, n), to); }
template <class I, class S, class O, class F>
O copy_if(I first, I last, S stencil, O to, F f)
{
	GEMMVIZ_RANGE;
	auto out = gemmviz_raw(to);
	auto by = gemmviz_raw(stencil);
	ptrdiff_t n = 0;

	for (; at != end; ++at, ++by)
		if (f(*by)) {
			*out = *at;
			++out, ++n;
		}
	return std::next(to, n);
}
template <class I, class O, class F> O copy_if(I first, I last, O to, F f)
{ return copy_if(first, last, first, to, f); }
template <class I, class V> void fill(I first, I last, const V &v)
{
	GEMMVIZ_RANGE;

	for (; at != end; ++at)
		*at = v;
}
template <class I, class N, class V> I fill_n(I first, N n, const V &v)
{
	fill(first, std::next(first, n), v);
	return std::next(first, n);
}
template <class I, class F> void generate(I first, I last, F f)
{
	GEMMVIZ_RANGE;

	for (; at != end; ++at)
		*at = f();
}
template <class I, class N, class F> I generate_n(I first, N n, F f)
{
	generate(first, std::next(first, n), f);
	return std::next(first, n);
}
template <class I, class T = value_of<I>>
void sequence(I first, I last, T from = T(0), T by = T(1))
{
	GEMMVIZ_RANGE;

	for (ptrdiff_t n = 0; at != end; ++at, ++n)
		*at = from + by * T(n);
}
template <class I, class F> void tabulate(I first, I last, F f)
{
	GEMMVIZ_RANGE;

	for (ptrdiff_t n = 0; at != end; ++at, ++n)
		*at = f(n);
}
template <class I, class F> I for_each(I first, I last, F f)
{
	GEMMVIZ_RANGE;

	for (; at != end; ++at)
		f(*at);
	return last;
}
template <class I, class N, class F> I for_each_n(I first, N n, F f)
{ return for_each(first, std::next(first, n), f); }
template <class I, class O, class F> O transform(I first, I last, O to, F f)
{ return copy(make_transform_iterator(gemmviz_raw(first), f),
	      make_transform_iterator(gemmviz_raw(last), f), to); }
template <class I, class J, class O, class F>
O transform(I first, I last, J other, O to, F f)
{
	GEMMVIZ_RANGE;
	auto out = gemmviz_raw(to);
	auto with = gemmviz_raw(other);
	ptrdiff_t n = 0;

	for (; at != end; ++at, ++with, ++out, ++n)
		*out = f(*at, *with);
	return std::next(to, n);
}
template <class I, class S, class O, class F, class P>
O transform_if(I first, I last, S stencil, O to, F f, P which)
{
	GEMMVIZ_RANGE;
	auto out = gemmviz_raw(to);
	auto by = gemmviz_raw(stencil);
	ptrdiff_t n = 0;

	for (; at != end; ++at, ++by, ++out, ++n)
		if (which(*by))
			*out = f(*at);
	return std::next(to, n);
}
template <class I, class O, class F, class P>
O transform_if(I first, I last, O to, F f, P which)
{ return transform_if(first, last, first, to, f, which); }

/* ---- sums ---- */

template <class I, class T, class F> T reduce(I first, I last, T sum, F f)
{
	GEMMVIZ_RANGE;

	for (; at != end; ++at)
		sum = f(sum, *at);
	return sum;
}
template <class I, class T> T reduce(I first, I last, T sum)
{ return reduce(first, last, sum, std::plus<T>()); }
template <class I> value_of<I> reduce(I first, I last)
{ return reduce(first, last, value_of<I>()); }
template <class I, class U, class T, class F>
T transform_reduce(I first, I last, U of, T sum, F f)
{
	GEMMVIZ_RANGE;

	for (; at != end; ++at)
		sum = f(sum, of(*at));
	return sum;
}
template <class I, class J, class T, class F, class G>
T inner_product(I first, I last, J other, T sum, F f, G of)
{
	GEMMVIZ_RANGE;
	auto with = gemmviz_raw(other);

	for (; at != end; ++at, ++with)
		sum = f(sum, of(*at, *with));
	return sum;
}
template <class I, class J, class T>
T inner_product(I first, I last, J other, T sum)
{
	return inner_product(first, last, other, sum, std::plus<T>(),
			     std::multiplies<T>());
}
template <class I, class F> ptrdiff_t count_if(I first, I last, F f)
{
	GEMMVIZ_RANGE;
	ptrdiff_t n = 0;

	for (; at != end; ++at)
		n += f(*at) ? 1 : 0;
	return n;
}
template <class I, class V> ptrdiff_t count(I first, I last, const V &v)
{ return count_if(first, last, [&](const value_of<I> &x) { return x == v; }); }

/* Of what is alike by the keys. */
template <class K, class I, class O, class P, class E, class F>
std::pair<O, P> reduce_by_key(K first, K last, I values, O keys, P to, E same,
			      F f)
{
	GEMMVIZ_RANGE;
	auto v = gemmviz_raw(values);
	auto out = gemmviz_raw(keys);
	auto sums = gemmviz_raw(to);
	ptrdiff_t n = 0;

	while (at != end) {
		value_of<K> key = *at;
		value_of<I> sum = *v;

		for (++at, ++v; at != end && same(key, *at); ++at, ++v)
			sum = f(sum, *v);
		*out = key;
		*sums = sum;
		++out, ++sums, ++n;
	}
	return { std::next(keys, n), std::next(to, n) };
}
template <class K, class I, class O, class P, class E>
std::pair<O, P> reduce_by_key(K first, K last, I values, O keys, P to, E same)
{ return reduce_by_key(first, last, values, keys, to, same, std::plus<>()); }
template <class K, class I, class O, class P>
std::pair<O, P> reduce_by_key(K first, K last, I values, O keys, P to)
{ return reduce_by_key(first, last, values, keys, to, std::equal_to<>()); }

template <class I, class O, class F>
O inclusive_scan(I first, I last, O to, F f)
{
	GEMMVIZ_RANGE;
	auto out = gemmviz_raw(to);
	ptrdiff_t n = 0;

	if (at == end)
		return to;
	value_of<I> sum = *at;
	for (;; ++out) {
		*out = sum;
		++n;
		if (++at == end)
			break;
		sum = f(sum, *at);
	}
	return std::next(to, n);
}
template <class I, class O> O inclusive_scan(I first, I last, O to)
{ return inclusive_scan(first, last, to, std::plus<value_of<I>>()); }
template <class I, class O, class T, class F>
O exclusive_scan(I first, I last, O to, T sum, F f)
{
	GEMMVIZ_RANGE;
	auto out = gemmviz_raw(to);
	ptrdiff_t n = 0;

	for (; at != end; ++at, ++out, ++n) {
		T next = f(sum, *at);	/* in place, too */

		*out = sum;
		sum = next;
	}
	return std::next(to, n);
}
template <class I, class O, class T>
O exclusive_scan(I first, I last, O to, T from)
{ return exclusive_scan(first, last, to, from, std::plus<T>()); }
template <class I, class O> O exclusive_scan(I first, I last, O to)
{ return exclusive_scan(first, last, to, value_of<I>(0)); }
template <class I, class O, class U, class F>
O transform_inclusive_scan(I first, I last, O to, U of, F f)
{
	return inclusive_scan(make_transform_iterator(gemmviz_raw(first), of),
			      make_transform_iterator(gemmviz_raw(last), of),
			      to, f);
}
template <class I, class O, class U, class T, class F>
O transform_exclusive_scan(I first, I last, O to, U of, T from, F f)
{
	return exclusive_scan(make_transform_iterator(gemmviz_raw(first), of),
			      make_transform_iterator(gemmviz_raw(last), of),
			      to, from, f);
}
template <class K, class I, class O, class E, class F>
O inclusive_scan_by_key(K first, K last, I values, O to, E same, F f)
{
	GEMMVIZ_RANGE;
	auto v = gemmviz_raw(values);
	auto out = gemmviz_raw(to);
	ptrdiff_t n = 0;

	while (at != end) {
		value_of<K> key = *at;
		value_of<I> sum = *v;

		*out = sum;
		for (++at, ++v, ++out, ++n; at != end && same(key, *at);
		     ++at, ++v, ++out, ++n) {
			key = *at;
			sum = f(sum, *v);
			*out = sum;
		}
	}
	return std::next(to, n);
}
template <class K, class I, class O, class E>
O inclusive_scan_by_key(K first, K last, I values, O to, E same)
{ return inclusive_scan_by_key(first, last, values, to, same, std::plus<>()); }
template <class K, class I, class O>
O inclusive_scan_by_key(K first, K last, I values, O to)
{
	return inclusive_scan_by_key(first, last, values, to,
				     std::equal_to<>());
}
template <class K, class I, class O, class T, class E, class F>
O exclusive_scan_by_key(K first, K last, I values, O to, T from, E same, F f)
{
	GEMMVIZ_RANGE;
	auto v = gemmviz_raw(values);
	auto out = gemmviz_raw(to);
	ptrdiff_t n = 0;

	while (at != end) {
		value_of<K> key = *at;
		T sum = from;

		do {
			T next = f(sum, *v);

			key = *at;
			*out = sum;
			sum = next;
			++at, ++v, ++out, ++n;
		} while (at != end && same(key, *at));
	}
	return std::next(to, n);
}
template <class K, class I, class O, class T = value_of<I>>
O exclusive_scan_by_key(K first, K last, I values, O to, T from = T(0))
{
	return exclusive_scan_by_key(first, last, values, to, from,
				     std::equal_to<>(), std::plus<T>());
}
template <class I, class O, class F>
O adjacent_difference(I first, I last, O to, F f)
{
	GEMMVIZ_RANGE;
	auto out = gemmviz_raw(to);
	ptrdiff_t n = 0;

	if (at == end)
		return to;
	value_of<I> before = *at;
	*out = before;
	for (++at, ++out, ++n; at != end; ++at, ++out, ++n) {
		value_of<I> now = *at;

		*out = f(now, before);
		before = now;
	}
	return std::next(to, n);
}
template <class I, class O> O adjacent_difference(I first, I last, O to)
{ return adjacent_difference(first, last, to, std::minus<>()); }

/* ---- what is where ---- */

template <class I, class F> I find_if(I first, I last, F f)
{
	GEMMVIZ_RANGE;
	ptrdiff_t n = 0;

	for (; at != end && !f(*at); ++at)
		n++;
	return std::next(first, n);
}
template <class I, class F> I find_if_not(I first, I last, F f)
{ return find_if(first, last, std::not_fn(f)); }
template <class I, class V> I find(I first, I last, const V &v)
{ return find_if(first, last, [&](const value_of<I> &x) { return x == v; }); }
template <class I, class F> bool any_of(I first, I last, F f)
{ return find_if(first, last, f) != last; }
template <class I, class F> bool none_of(I first, I last, F f)
{ return find_if(first, last, f) == last; }
template <class I, class F> bool all_of(I first, I last, F f)
{ return find_if_not(first, last, f) == last; }
template <class I, class F> I min_element(I first, I last, F before)
{
	GEMMVIZ_RANGE;

	return std::next(first, std::distance(
		at, std::min_element(at, end, before)));
}
template <class I> I min_element(I first, I last)
{ return min_element(first, last, std::less<>()); }
template <class I, class F> I max_element(I first, I last, F before)
{
	GEMMVIZ_RANGE;

	return std::next(first, std::distance(
		at, std::max_element(at, end, before)));
}
template <class I> I max_element(I first, I last)
{ return max_element(first, last, std::less<>()); }
template <class I, class... F>
std::pair<I, I> minmax_element(I first, I last, F... before)
{
	return { min_element(first, last, before...),
		 max_element(first, last, before...) };
}
template <class I, class J, class F>
bool equal(I first, I last, J other, F same)
{
	GEMMVIZ_RANGE;

	return std::equal(at, end, gemmviz_raw(other), same);
}
template <class I, class J> bool equal(I first, I last, J other)
{ return equal(first, last, other, std::equal_to<>()); }
template <class I, class... F> bool is_sorted(I first, I last, F... before)
{
	GEMMVIZ_RANGE;

	return std::is_sorted(at, end, before...);
}
/* lower_bound and the like: of one value, or of each of several. */
#define GEMMVIZ_BOUND(name, result) \
	template <class I, class V, class... F> \
	auto gemmviz_##name(I first, I last, const V &v, F... before) \
	{ \
		GEMMVIZ_RANGE; \
		auto found = std::name(at, end, v, before...); \
		return result; \
	} \
	template <class I, class V, class = typename std::enable_if< \
		std::is_convertible<V, value_of<I>>::value>::type> \
	auto name(I first, I last, const V &v) \
	{ return gemmviz_##name(first, last, v); } \
	template <class I, class V, class F, class = \
		typename std::enable_if< \
			std::is_convertible<V, value_of<I>>::value>::type> \
	auto name(I first, I last, const V &v, F before) \
	{ return gemmviz_##name(first, last, v, before); } \
	template <class I, class J, class O, class... F> \
	O name(I first, I last, J values, J until, O to, F... before) \
	{ \
		auto v = gemmviz_raw(values), stop = gemmviz_raw(until); \
		auto out = gemmviz_raw(to); \
		ptrdiff_t n = 0; \
\
		for (; v != stop; ++v, ++out, ++n) { \
			GEMMVIZ_RANGE; \
			auto found = std::name(at, end, *v, before...); \
			*out = GEMMVIZ_BOUND_IS(name); \
		} \
		return std::next(to, n); \
	}
#define GEMMVIZ_BOUND_IS(name) GEMMVIZ_IS_##name
#define GEMMVIZ_IS_lower_bound std::distance(at, found)
#define GEMMVIZ_IS_upper_bound std::distance(at, found)
#define GEMMVIZ_IS_binary_search found
GEMMVIZ_BOUND(lower_bound, std::next(first, std::distance(at, found)))
GEMMVIZ_BOUND(upper_bound, std::next(first, std::distance(at, found)))
GEMMVIZ_BOUND(binary_search, found)
#undef GEMMVIZ_BOUND

};

}

#include "gemmviz_thrust_order.h"

namespace thrust {

/* ---- as a program calls them: with a policy before the rest, or without ---- */

#define GEMMVIZ_ALGORITHM(name) \
	template <class F, class... A> auto name(const F &first, A... a) \
	{ \
		gemmviz_work w; \
		if constexpr (gemmviz_is_policy<F>::value) \
			return gemmviz_order().name(a...); \
		else \
			return gemmviz_order().name(first, a...); \
	}
#define GEMMVIZ_ALGORITHMS(A) \
	A(adjacent_difference) A(all_of) A(any_of) A(binary_search) A(copy) \
	A(copy_if) A(copy_n) A(count) A(count_if) A(equal) A(exclusive_scan) \
	A(exclusive_scan_by_key) A(fill) A(fill_n) A(find) A(find_if) \
	A(find_if_not) A(for_each) A(for_each_n) A(gather) A(generate) \
	A(generate_n) A(inclusive_scan) A(inclusive_scan_by_key) \
	A(inner_product) A(is_sorted) A(lower_bound) A(max_element) A(merge) \
	A(min_element) A(minmax_element) A(none_of) A(partition) A(reduce) \
	A(reduce_by_key) A(remove) A(remove_copy_if) A(remove_if) A(replace) \
	A(replace_if) A(reverse) A(scatter) A(sequence) A(sort) \
	A(sort_by_key) A(stable_partition) A(stable_sort) \
	A(stable_sort_by_key) A(swap_ranges) A(tabulate) A(transform) \
	A(transform_exclusive_scan) A(transform_if) \
	A(transform_inclusive_scan) A(transform_reduce) A(unique) \
	A(unique_by_key) A(unique_by_key_copy) A(unique_copy) A(upper_bound)
GEMMVIZ_ALGORITHMS(GEMMVIZ_ALGORITHM)
#undef GEMMVIZ_ALGORITHM
#undef GEMMVIZ_ALGORITHMS

}

#endif
