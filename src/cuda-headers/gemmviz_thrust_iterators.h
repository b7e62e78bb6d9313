/*
 * gemmviz_thrust_iterators: thrust's iterators, and what they are within an
 * algorithm: of plain pointers, as they are on the device.
 */
#ifndef GEMMVIZ_THRUST_ITERATORS_H
#define GEMMVIZ_THRUST_ITERATORS_H

namespace thrust {

using std::advance;
using std::distance;
using std::iterator_traits;
template <class I> struct iterator_value
{ typedef typename std::iterator_traits<I>::value_type type; };

template <class T> struct counting_iterator {
	typedef T value_type, reference;
	typedef const T *pointer;
	T gemmviz_at;

	explicit counting_iterator(T at = T()) : gemmviz_at(at) {}
	T operator*() const { return gemmviz_at; }
	GEMMVIZ_STEPS(counting_iterator)
};
template <class T> counting_iterator<T> make_counting_iterator(T at)
{ return counting_iterator<T>(at); }

template <class T> struct constant_iterator {
	typedef T value_type, reference;
	typedef const T *pointer;
	ptrdiff_t gemmviz_at;
	T gemmviz_value;

	explicit constant_iterator(const T &v = T(), ptrdiff_t at = 0)
		: gemmviz_at(at), gemmviz_value(v) {}
	T operator*() const { return gemmviz_value; }
	GEMMVIZ_STEPS(constant_iterator)
};
template <class T> constant_iterator<T> make_constant_iterator(T v)
{ return constant_iterator<T>(v); }

/* Takes whatever is written to it. */
struct gemmviz_nothing {
	template <class T> const gemmviz_nothing &operator=(const T &) const
	{ return *this; }
};
template <class = void> struct discard_iterator {
	typedef gemmviz_nothing value_type, reference;
	typedef gemmviz_nothing *pointer;
	ptrdiff_t gemmviz_at;

	explicit discard_iterator(ptrdiff_t at = 0) : gemmviz_at(at) {}
	gemmviz_nothing operator*() const { return gemmviz_nothing(); }
	GEMMVIZ_STEPS(discard_iterator)
};
GEMMVIZ_HOST discard_iterator<> make_discard_iterator(ptrdiff_t at = 0)
{ return discard_iterator<>(at); }

template <class F, class I> struct transform_iterator {
	typedef decltype(std::declval<F &>()(*std::declval<I &>())) reference;
	typedef typename std::decay<reference>::type value_type;
	typedef value_type *pointer;
	I gemmviz_at;
	F gemmviz_of;

	transform_iterator(I at, F of) : gemmviz_at(at), gemmviz_of(of) {}
	explicit transform_iterator(I at) : gemmviz_at(at), gemmviz_of() {}
	/* A lambda can be copied, and not assigned. */
	transform_iterator(const transform_iterator &) = default;
	transform_iterator &operator=(const transform_iterator &o)
	{ gemmviz_at = o.gemmviz_at; return *this; }
	reference operator*() const
	{ F f(gemmviz_of); return f(*gemmviz_at); }
	I base() const { return gemmviz_at; }
	GEMMVIZ_STEPS(transform_iterator)
};
template <class F, class I>
transform_iterator<F, I> make_transform_iterator(I at, F of)
{ return transform_iterator<F, I>(at, of); }

template <class E, class I> struct permutation_iterator {
	typedef typename std::iterator_traits<E>::reference reference;
	typedef typename std::iterator_traits<E>::value_type value_type;
	typedef value_type *pointer;
	E gemmviz_of;
	I gemmviz_at;

	permutation_iterator(E of, I at) : gemmviz_of(of), gemmviz_at(at) {}
	reference operator*() const { return gemmviz_of[*gemmviz_at]; }
	GEMMVIZ_STEPS(permutation_iterator)
};
template <class E, class I>
permutation_iterator<E, I> make_permutation_iterator(E of, I at)
{ return permutation_iterator<E, I>(of, at); }

template <class I> using reverse_iterator = std::reverse_iterator<I>;
template <class I> std::reverse_iterator<I> make_reverse_iterator(I at)
{ return std::reverse_iterator<I>(at); }

template <class Tuple> struct zip_iterator;
template <class... I> struct zip_iterator<std::tuple<I...>> {
	typedef std::tuple<typename std::iterator_traits<I>::value_type...>
		value_type;
	typedef std::tuple<typename std::iterator_traits<I>::reference...>
		reference;
	typedef value_type *pointer;
	typedef std::index_sequence_for<I...> gemmviz_all;
	ptrdiff_t gemmviz_at;
	std::tuple<I...> gemmviz_of;

	zip_iterator(const std::tuple<I...> &of, ptrdiff_t at = 0)
		: gemmviz_at(at), gemmviz_of(of) {}
	reference operator*() const { return get(gemmviz_all()); }
	std::tuple<I...> get_iterator_tuple() const
	{ return now(gemmviz_all()); }
	/* Two of them are equally far along if their first iterators are. */
	ptrdiff_t operator-(const zip_iterator &o) const
	{
		return std::get<0>(get_iterator_tuple()) -
		       std::get<0>(o.get_iterator_tuple());
	}
	bool operator==(const zip_iterator &o) const { return *this - o == 0; }
	bool operator!=(const zip_iterator &o) const { return *this - o != 0; }
	bool operator<(const zip_iterator &o) const { return *this - o < 0; }
	zip_iterator &operator++() { ++gemmviz_at; return *this; }
	zip_iterator &operator--() { --gemmviz_at; return *this; }
	zip_iterator operator++(int)
	{ zip_iterator z(*this); ++gemmviz_at; return z; }
	zip_iterator &operator+=(ptrdiff_t n) { gemmviz_at += n; return *this; }
	zip_iterator &operator-=(ptrdiff_t n) { gemmviz_at -= n; return *this; }
	zip_iterator operator+(ptrdiff_t n) const
	{ return zip_iterator(gemmviz_of, gemmviz_at + n); }
	zip_iterator operator-(ptrdiff_t n) const { return *this + -n; }
	reference operator[](ptrdiff_t n) const { return *(*this + n); }
	typedef std::random_access_iterator_tag iterator_category;
	typedef ptrdiff_t difference_type;
private:
	template <size_t... N>
	reference get(std::index_sequence<N...>) const
	{ return reference(std::get<N>(gemmviz_of)[gemmviz_at]...); }
	template <size_t... N>
	std::tuple<I...> now(std::index_sequence<N...>) const
	{
		return std::tuple<I...>(
			(std::get<N>(gemmviz_of) + gemmviz_at)...);
	}
};
template <class... I>
zip_iterator<std::tuple<I...>> make_zip_iterator(const std::tuple<I...> &of)
{ return zip_iterator<std::tuple<I...>>(of); }
template <class... I> zip_iterator<std::tuple<I...>> make_zip_iterator(I... of)
{ return zip_iterator<std::tuple<I...>>(std::tuple<I...>(of...)); }

/* A function of a tuple's members. */
template <class F> struct zip_function {
	F gemmviz_of;

	zip_function(F of) : gemmviz_of(of) {}
	template <class Tuple> auto operator()(Tuple &&t) const
	{ F f(gemmviz_of); return std::apply(f, std::forward<Tuple>(t)); }
};
template <class F> zip_function<F> make_zip_function(F f)
{ return zip_function<F>(f); }

/* ---- within an algorithm ---- */

template <class I> I gemmviz_raw(const I &i) { return i; }
template <class T> T *gemmviz_raw(const device_ptr<T> &p) { return p.get(); }
template <class F, class I>
auto gemmviz_raw(const transform_iterator<F, I> &i);
template <class E, class I>
auto gemmviz_raw(const permutation_iterator<E, I> &i);
template <class... I>
auto gemmviz_raw(const zip_iterator<std::tuple<I...>> &z)
{
	return std::apply([](auto... of)
			  { return make_zip_iterator(gemmviz_raw(of)...); },
			  z.get_iterator_tuple());
}
template <class F, class I>
auto gemmviz_raw(const transform_iterator<F, I> &i)
{ return make_transform_iterator(gemmviz_raw(i.gemmviz_at), i.gemmviz_of); }
template <class E, class I>
auto gemmviz_raw(const permutation_iterator<E, I> &i)
{
	return make_permutation_iterator(gemmviz_raw(i.gemmviz_of),
					 gemmviz_raw(i.gemmviz_at));
}
template <class I> auto gemmviz_raw(const std::reverse_iterator<I> &i)
{ return std::make_reverse_iterator(gemmviz_raw(i.base())); }

}

#endif
