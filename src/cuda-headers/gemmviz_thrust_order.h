/*
 * gemmviz_thrust_order: thrust's algorithms that move elements to other places.
 */
#ifndef GEMMVIZ_THRUST_ORDER_H
#define GEMMVIZ_THRUST_ORDER_H

namespace thrust {
struct gemmviz_order : gemmviz_do {

/* ---- order: through a copy, for what an iterator leads to may be several
 * places at once ---- */

template <class I> std::vector<value_of<I>> taken(I first, I last)
{
	std::vector<value_of<I>> v;

	gemmviz_thrust_aside();
	v.reserve(std::distance(first, last));
	GEMMVIZ_RANGE;
	for (; at != end; ++at)
		v.push_back(*at);
	return v;
}
template <class V, class I> void put(const V &v, I first)
{
	auto at = gemmviz_raw(first);

	for (size_t i = 0; i < v.size(); i++, ++at)
		*at = v[i];
}
template <class I, class F> void sort(I first, I last, F before)
{
	auto v = taken(first, last);

	std::stable_sort(v.begin(), v.end(), before);
	put(v, first);
}
template <class I> void sort(I first, I last)
{ sort(first, last, std::less<>()); }
template <class I, class... F> void stable_sort(I first, I last, F... before)
{ sort(first, last, before...); }
template <class K, class I, class F>
void sort_by_key(K first, K last, I values, F before)
{
	auto k = taken(first, last);
	auto v = taken(values, std::next(values, k.size()));
	std::vector<size_t> order(k.size());
	auto key = gemmviz_raw(first);
	auto value = gemmviz_raw(values);

	for (size_t i = 0; i < order.size(); i++)
		order[i] = i;
	std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b)
			 { return before(k[a], k[b]); });
	for (size_t i = 0; i < order.size(); i++, ++key, ++value) {
		*key = k[order[i]];
		*value = v[order[i]];
	}
}
template <class K, class I> void sort_by_key(K first, K last, I values)
{ sort_by_key(first, last, values, std::less<>()); }
template <class K, class I, class... F>
void stable_sort_by_key(K first, K last, I values, F... before)
{ sort_by_key(first, last, values, before...); }
template <class I> void reverse(I first, I last)
{
	auto v = taken(first, last);

	std::reverse(v.begin(), v.end());
	put(v, first);
}
template <class I, class J, class O, class... F>
O merge(I first, I last, J other, J until, O to, F... before)
{
	auto a = taken(first, last);
	auto b = taken(other, until);
	std::vector<value_of<I>> v(a.size() + b.size());

	std::merge(a.begin(), a.end(), b.begin(), b.end(), v.begin(),
		   before...);
	put(v, to);
	return std::next(to, v.size());
}

/* ---- what remains ---- */

template <class I, class O, class F>
O unique_copy(I first, I last, O to, F same)
{
	auto v = taken(first, last);
	v.erase(std::unique(v.begin(), v.end(), same), v.end());
	put(v, to);
	return std::next(to, v.size());
}
template <class I, class O, class = value_of<O>>
O unique_copy(I first, I last, O to)
{ return unique_copy(first, last, to, std::equal_to<>()); }
template <class I> I unique(I first, I last)
{ return unique_copy(first, last, first, std::equal_to<>()); }
template <class I, class F> I unique(I first, I last, F same)
{ return unique_copy(first, last, first, same); }
template <class K, class I, class O, class P, class F>
std::pair<O, P> unique_by_key_copy(K first, K last, I values, O keys, P to,
				   F same)
{
	return reduce_by_key(first, last, values, keys, to, same,
			     [](const value_of<I> &a, const value_of<I> &)
			     { return a; });
}
template <class K, class I, class O, class P>
std::pair<O, P> unique_by_key_copy(K first, K last, I values, O keys, P to)
{
	return unique_by_key_copy(first, last, values, keys, to,
				  std::equal_to<>());
}
template <class K, class I, class... F>
std::pair<K, I> unique_by_key(K first, K last, I values, F... same)
{ return unique_by_key_copy(first, last, values, first, values, same...); }
template <class I, class F> I remove_if(I first, I last, F f)
{
	auto v = taken(first, last);

	v.erase(std::remove_if(v.begin(), v.end(), f), v.end());
	put(v, first);
	return std::next(first, v.size());
}
template <class I, class S, class F>
I remove_if(I first, I last, S stencil, F f)
{
	auto v = taken(first, last);
	auto by = taken(stencil, std::next(stencil, v.size()));
	size_t n = 0;

	for (size_t i = 0; i < v.size(); i++)
		if (!f(by[i]))
			v[n++] = v[i];
	v.erase(v.begin() + n, v.end());
	put(v, first);
	return std::next(first, n);
}
template <class I, class V> I remove(I first, I last, const V &v)
{ return remove_if(first, last, [&](const value_of<I> &x)
		   { return x == v; }); }
template <class I, class O, class F>
O remove_copy_if(I first, I last, O to, F f)
{ return copy_if(first, last, to, std::not_fn(f)); }
template <class I, class F> I stable_partition(I first, I last, F f)
{
	auto v = taken(first, last);
	auto at = std::stable_partition(v.begin(), v.end(), f);
	ptrdiff_t n = at - v.begin();

	put(v, first);
	return std::next(first, n);
}
template <class I, class F> I partition(I first, I last, F f)
{ return stable_partition(first, last, f); }
template <class I, class F, class V>
void replace_if(I first, I last, F f, const V &v)
{
	GEMMVIZ_RANGE;

	for (; at != end; ++at)
		if (f(*at))
			*at = v;
}
template <class I, class V>
void replace(I first, I last, const V &old, const V &v)
{
	replace_if(first, last, [&](const value_of<I> &x)
		   { return x == old; }, v);
}
template <class M, class I, class O> O gather(M first, M last, I from, O to)
{
	GEMMVIZ_RANGE;
	auto in = gemmviz_raw(from);
	auto out = gemmviz_raw(to);
	ptrdiff_t n = 0;

	for (; at != end; ++at, ++out, ++n)
		*out = in[*at];
	return std::next(to, n);
}
template <class I, class M, class O> void scatter(I first, I last, M map, O to)
{
	GEMMVIZ_RANGE;
	auto where = gemmviz_raw(map);
	auto out = gemmviz_raw(to);

	for (; at != end; ++at, ++where)
		out[*where] = *at;
}
template <class I, class J> J swap_ranges(I first, I last, J other)
{
	auto a = taken(first, last);
	auto b = taken(other, std::next(other, a.size()));

	put(a, other);
	put(b, first);
	return std::next(other, a.size());
}
#undef GEMMVIZ_RANGE

};
}

#endif
