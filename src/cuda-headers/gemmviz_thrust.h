/*
 * gemmviz_thrust: thrust, for a program's host. Vectors of the device are the
 * recorder's memory; algorithms run here, in order, one element after the
 * other, and are no launches. Sums of floats are therefore in order, too.
 */
#ifndef GEMMVIZ_THRUST_H
#define GEMMVIZ_THRUST_H
#ifdef GEMMVIZ_PROGRAM

#include <algorithm>
#include <chrono>
#include <functional>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "gemmviz_runtime.h"

extern "C" {
/* While this is so, the host may use the device's memory. */
int gemmviz_thrust_begin(void);
void gemmviz_thrust_end(void);
/* Not in a kernel: it would need memory of the host's. */
void gemmviz_thrust_aside(void);
}

namespace thrust {

namespace system {
struct system_error : std::runtime_error {
	cudaError_t gemmviz_error;

	system_error(cudaError_t e, const char *what)
		: std::runtime_error(what), gemmviz_error(e) {}
	cudaError_t code() const { return gemmviz_error; }
};
namespace detail { typedef std::bad_alloc bad_alloc; }
}
using system::system_error;

struct gemmviz_work {
	gemmviz_work()
	{
		int e = gemmviz_thrust_begin();

		if (e)
			throw system_error((cudaError_t)e,
					   cudaGetErrorString((cudaError_t)e));
	}
	~gemmviz_work() { gemmviz_thrust_end(); }
	gemmviz_work(const gemmviz_work &) = delete;
};

using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::swap;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;

/* ---- where things are ---- */

template <class T> struct device_ptr;

/* What a pointer or an iterator of the device leads to. */
template <class T> struct device_reference {
	typedef T value_type;
	T *gemmviz_at;

	explicit device_reference(T *at) : gemmviz_at(at) {}
	device_reference(const device_reference &) = default;
	operator typename std::remove_cv<T>::type() const
	{
		gemmviz_work w;
		return *gemmviz_at;
	}
	device_ptr<T> operator&() const { return device_ptr<T>(gemmviz_at); }
	const device_reference &operator=(const T &v) const
	{
		gemmviz_work w;
		*gemmviz_at = v;
		return *this;
	}
	device_reference &operator=(const device_reference &r)
	{
		gemmviz_work w;
		*gemmviz_at = *r.gemmviz_at;
		return *this;
	}
#define GEMMVIZ_CHANGE(op) \
	const device_reference &operator op(const T &v) const \
	{ \
		gemmviz_work w; \
		*gemmviz_at op v; \
		return *this; \
	}
	GEMMVIZ_CHANGE(+=)
	GEMMVIZ_CHANGE(-=)
	GEMMVIZ_CHANGE(*=)
	GEMMVIZ_CHANGE(/=)
	GEMMVIZ_CHANGE(|=)
	GEMMVIZ_CHANGE(&=)
	GEMMVIZ_CHANGE(^=)
#undef GEMMVIZ_CHANGE
	const device_reference &operator++() const { return *this += T(1); }
	const device_reference &operator--() const { return *this -= T(1); }
	T operator++(int) const { T v = *this; *this += T(1); return v; }
	T operator--(int) const { T v = *this; *this -= T(1); return v; }
};

/* A random access iterator by where it is: Self has gemmviz_at. */
#define GEMMVIZ_STEPS(Self) \
	typedef std::random_access_iterator_tag iterator_category; \
	typedef ptrdiff_t difference_type; \
	Self &operator++() { ++gemmviz_at; return *this; } \
	Self &operator--() { --gemmviz_at; return *this; } \
	Self operator++(int) { Self s(*this); ++gemmviz_at; return s; } \
	Self operator--(int) { Self s(*this); --gemmviz_at; return s; } \
	Self &operator+=(ptrdiff_t n) { gemmviz_at += n; return *this; } \
	Self &operator-=(ptrdiff_t n) { gemmviz_at -= n; return *this; } \
	Self operator+(ptrdiff_t n) const { Self s(*this); return s += n; } \
	Self operator-(ptrdiff_t n) const { Self s(*this); return s -= n; } \
	ptrdiff_t operator-(const Self &o) const \
	{ return gemmviz_at - o.gemmviz_at; } \
	bool operator==(const Self &o) const \
	{ return gemmviz_at == o.gemmviz_at; } \
	bool operator!=(const Self &o) const { return !(*this == o); } \
	bool operator<(const Self &o) const \
	{ return gemmviz_at < o.gemmviz_at; } \
	bool operator>(const Self &o) const { return o < *this; } \
	bool operator<=(const Self &o) const { return !(o < *this); } \
	bool operator>=(const Self &o) const { return !(*this < o); } \
	reference operator[](ptrdiff_t n) const { return *(*this + n); }

template <class T> struct device_ptr {
	typedef typename std::remove_cv<T>::type value_type;
	typedef T element_type;
	typedef device_reference<T> reference;
	typedef device_ptr pointer;
	T *gemmviz_at;

	device_ptr(decltype(nullptr) = nullptr) : gemmviz_at(nullptr) {}
	template <class U> explicit device_ptr(U *p) : gemmviz_at((T *)p) {}
	/* Of what is not const, or nothing in particular. */
	template <class U, class = typename std::enable_if<
		std::is_convertible<U *, T *>::value ||
		std::is_void<U>::value>::type>
	device_ptr(const device_ptr<U> &o) : gemmviz_at((T *)o.gemmviz_at) {}
	T *get() const { return gemmviz_at; }
	reference operator*() const { return reference(gemmviz_at); }
	explicit operator bool() const { return gemmviz_at; }
	GEMMVIZ_STEPS(device_ptr)
};
template <> struct device_ptr<void> {
	typedef void element_type;
	void *gemmviz_at;

	device_ptr(decltype(nullptr) = nullptr) : gemmviz_at(nullptr) {}
	explicit device_ptr(void *p) : gemmviz_at(p) {}
	template <class U> device_ptr(const device_ptr<U> &o)
		: gemmviz_at(o.gemmviz_at) {}
	void *get() const { return gemmviz_at; }
	explicit operator bool() const { return gemmviz_at; }
};
template <class T>
device_ptr<T> operator+(ptrdiff_t n, const device_ptr<T> &p) { return p + n; }

template <class T> T *raw_pointer_cast(T *p) { return p; }
template <class T> T *raw_pointer_cast(const device_ptr<T> &p)
{ return p.gemmviz_at; }
template <class T> T &raw_reference_cast(T &r) { return r; }
template <class T> T &raw_reference_cast(const device_reference<T> &r)
{ return *r.gemmviz_at; }
template <class T> device_ptr<T> device_pointer_cast(T *p)
{ return device_ptr<T>(p); }

template <class T> device_ptr<T> device_malloc(size_t n, GEMMVIZ_AT)
{
	void *p = nullptr;

	if (gemmviz_malloc(&p, n * sizeof(T), GEMMVIZ_DEVICE, GEMMVIZ_LINE))
		throw std::bad_alloc();
	return device_ptr<T>((T *)p);
}
GEMMVIZ_HOST device_ptr<void> device_malloc(size_t n, GEMMVIZ_AT)
{ return device_ptr<void>(device_malloc<char>(n, GEMMVIZ_LINE).get()); }
template <class T> void device_free(const device_ptr<T> &p, GEMMVIZ_AT)
{ cudaFree((void *)p.get(), GEMMVIZ_LINE); }

/* ---- vectors ---- */

template <class I> using gemmviz_iterator = typename std::enable_if<
	!std::is_arithmetic<I>::value>::type;

template <class T, int Kind> struct gemmviz_vector {
	typedef T value_type;
	typedef device_ptr<T> pointer, iterator;
	typedef device_ptr<const T> const_pointer, const_iterator;
	typedef device_reference<T> reference;
	typedef device_reference<const T> const_reference;
	typedef size_t size_type;
	typedef ptrdiff_t difference_type;

	gemmviz_vector(GEMMVIZ_AT) { from(GEMMVIZ_LINE); }
	explicit gemmviz_vector(size_t n, GEMMVIZ_AT)
	{
		from(GEMMVIZ_LINE);
		resize(n);
	}
	gemmviz_vector(size_t n, const T &v, GEMMVIZ_AT)
	{
		from(GEMMVIZ_LINE);
		resize(n, v);
	}
	template <class I, class = gemmviz_iterator<I>>
	gemmviz_vector(I first, I last, GEMMVIZ_AT)
	{
		from(GEMMVIZ_LINE);
		assign(first, last);
	}
	gemmviz_vector(std::initializer_list<T> l, GEMMVIZ_AT)
	{
		from(GEMMVIZ_LINE);
		assign(l.begin(), l.end());
	}
	gemmviz_vector(const gemmviz_vector &o, GEMMVIZ_AT)
	{
		from(GEMMVIZ_LINE);
		assign(o.begin(), o.end());
	}
	gemmviz_vector(gemmviz_vector &&o, GEMMVIZ_AT)
	{
		from(GEMMVIZ_LINE);
		swap(o);
	}
	template <class U, class A>
	gemmviz_vector(const std::vector<U, A> &o, GEMMVIZ_AT)
	{
		from(GEMMVIZ_LINE);
		assign(o.begin(), o.end());
	}
	template <class U, int Other>
	gemmviz_vector(const gemmviz_vector<U, Other> &o, GEMMVIZ_AT)
	{
		from(GEMMVIZ_LINE);
		assign(o.begin(), o.end());
	}
	~gemmviz_vector()
	{
		if (memory)
			cudaFree(memory, file, line);
	}
	gemmviz_vector &operator=(const gemmviz_vector &o)
	{
		if (this != &o)
			assign(o.begin(), o.end());
		return *this;
	}
	gemmviz_vector &operator=(gemmviz_vector &&o)
	{
		swap(o);
		return *this;
	}
	gemmviz_vector &operator=(std::initializer_list<T> l)
	{
		assign(l.begin(), l.end());
		return *this;
	}
	template <class U, class A>
	gemmviz_vector &operator=(const std::vector<U, A> &o)
	{
		assign(o.begin(), o.end());
		return *this;
	}

	iterator begin() { return iterator(memory); }
	iterator end() { return iterator(memory + count); }
	const_iterator begin() const { return const_iterator(memory); }
	const_iterator end() const { return const_iterator(memory + count); }
	const_iterator cbegin() const { return begin(); }
	const_iterator cend() const { return end(); }
	pointer data() { return pointer(memory); }
	const_pointer data() const { return const_pointer(memory); }
	reference operator[](size_t i) { return reference(memory + i); }
	const_reference operator[](size_t i) const
	{ return const_reference(memory + i); }
	reference front() { return (*this)[0]; }
	reference back() { return (*this)[count - 1]; }
	const_reference front() const { return (*this)[0]; }
	const_reference back() const { return (*this)[count - 1]; }
	size_t size() const { return count; }
	size_t capacity() const { return room; }
	bool empty() const { return !count; }
	void clear() { count = 0; }
	void shrink_to_fit() {}
	void swap(gemmviz_vector &o)
	{
		std::swap(memory, o.memory);
		std::swap(count, o.count);
		std::swap(room, o.room);
	}
	void reserve(size_t n)
	{
		void *p = nullptr;

		if (n <= room)
			return;
		if (gemmviz_malloc(&p, n * sizeof(T), Kind, file, line))
			throw std::bad_alloc();
		gemmviz_work w;
		std::copy(memory, memory + count, (T *)p);
		if (memory)
			cudaFree(memory, file, line);
		memory = (T *)p;
		room = n;
	}
	void resize(size_t n, const T &v = T())
	{
		reserve(n);
		if (n > count) {
			gemmviz_work w;
			std::fill(memory + count, memory + n, v);
		}
		count = n;
	}
	template <class I> gemmviz_iterator<I> assign(I first, I last);
	void assign(size_t n, const T &v) { clear(); resize(n, v); }
	void push_back(const T &v)
	{
		if (count == room)
			reserve(2 * room + 1);
		count++;
		back() = v;
	}
	void pop_back() { count--; }
	iterator erase(const_iterator first, const_iterator last)
	{
		gemmviz_work w;
		T *to = memory + (first.get() - memory);

		std::copy(to + (last - first), memory + count, to);
		count -= last - first;
		return iterator(to);
	}
	iterator erase(const_iterator at) { return erase(at, at + 1); }
	iterator insert(const_iterator at, const T &v)
	{
		size_t i = at - cbegin();

		push_back(v);
		gemmviz_work w;
		std::rotate(memory + i, memory + count - 1, memory + count);
		return begin() + i;
	}
	bool operator==(const gemmviz_vector &o) const
	{
		gemmviz_work w;
		return count == o.count &&
		       std::equal(memory, memory + count, o.memory);
	}
	bool operator!=(const gemmviz_vector &o) const
	{ return !(*this == o); }
private:
	T *memory = nullptr;
	size_t count = 0, room = 0;
	const char *file;
	int line;
	void from(const char *at, int there) { file = at; line = there; }
};
template <class T, class = void>
using device_vector = gemmviz_vector<T, GEMMVIZ_DEVICE>;
template <class T, class = void>
using universal_vector = gemmviz_vector<T, GEMMVIZ_MANAGED>;

/* std's, but for what comes from the device. */
template <class T, class A = std::allocator<T>>
struct host_vector : std::vector<T, A> {
	using std::vector<T, A>::vector;
	using std::vector<T, A>::operator=;
	host_vector() = default;
	template <class U, class B> host_vector(const std::vector<U, B> &o)
		: std::vector<T, A>(o.begin(), o.end()) {}
	template <class U, int Kind>
	host_vector(const gemmviz_vector<U, Kind> &o) { *this = o; }
	host_vector(device_ptr<T> first, device_ptr<T> last)
	{ copy(first.get(), last - first); }
	host_vector(device_ptr<const T> first, device_ptr<const T> last)
	{ copy(first.get(), last - first); }
	template <class U, int Kind>
	host_vector &operator=(const gemmviz_vector<U, Kind> &o)
	{
		copy(o.data().get(), o.size());
		return *this;
	}
private:
	template <class U> void copy(const U *from, size_t n)
	{
		gemmviz_work w;
		this->assign(from, from + n);
	}
};

}

#include "gemmviz_thrust_iterators.h"
#include "gemmviz_thrust_numbers.h"
#include "gemmviz_thrust_algorithms.h"
/* Which thrust brings along. */
#include "gemmviz_cub.h"

namespace thrust {
template <class T, int Kind> template <class I>
gemmviz_iterator<I> gemmviz_vector<T, Kind>::assign(I first, I last)
{
	count = 0;
	resize(std::distance(first, last));
	copy(first, last, begin());
}
}

#endif
#endif
