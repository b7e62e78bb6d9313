/*
 * gemmviz_thrust_numbers: thrust's functions of elements, and its random
 * numbers, which are the same as thrust's.
 */
#ifndef GEMMVIZ_THRUST_NUMBERS_H
#define GEMMVIZ_THRUST_NUMBERS_H

#include <cmath>
#include <random>

namespace thrust {

using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::plus;
template <class T = void> struct maximum {
	typedef T first_argument_type, second_argument_type, result_type;
	T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <class T = void> struct minimum {
	typedef T first_argument_type, second_argument_type, result_type;
	T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <> struct maximum<void> {
	template <class T> T operator()(const T &a, const T &b) const
	{ return a < b ? b : a; }
};
template <> struct minimum<void> {
	template <class T> T operator()(const T &a, const T &b) const
	{ return b < a ? b : a; }
};
template <class T = void> struct identity {
	const T &operator()(const T &v) const { return v; }
};
template <class T = void> struct square {
	T operator()(const T &v) const { return v * v; }
};
template <class A, class B> struct unary_function
{ typedef A argument_type; typedef B result_type; };
template <class A, class B, class C> struct binary_function {
	typedef A first_argument_type;
	typedef B second_argument_type;
	typedef C result_type;
};

namespace random {

/* std's, whose least and greatest are constants. */
template <class T, T A, T C, T M> struct linear_congruential_engine
	: std::linear_congruential_engine<T, A, C, M> {
	typedef std::linear_congruential_engine<T, A, C, M> gemmviz_engine;
	static const T min = gemmviz_engine::min(), max = gemmviz_engine::max();
	using gemmviz_engine::gemmviz_engine;
	linear_congruential_engine(T seed = 1) : gemmviz_engine(seed) {}
};
typedef linear_congruential_engine<uint32_t, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<uint32_t, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

template <class T = double> struct uniform_real_distribution {
	typedef T result_type;
	T gemmviz_from, gemmviz_to;

	explicit uniform_real_distribution(T from = 0, T to = 1)
		: gemmviz_from(from), gemmviz_to(to) {}
	void reset() {}
	template <class Engine> T operator()(Engine &engine)
	{
		T r = (T)(engine() - Engine::min);

		r /= T(1) + (T)(Engine::max - Engine::min);
		return r * (gemmviz_to - gemmviz_from) + gemmviz_from;
	}
};
template <class T = int> struct uniform_int_distribution {
	typedef T result_type;
	double gemmviz_from, gemmviz_to;

	explicit uniform_int_distribution(
		T from = 0, T to = std::numeric_limits<T>::max())
		: gemmviz_from(from), gemmviz_to(to) {}
	void reset() {}
	template <class Engine> T operator()(Engine &engine)
	{
		uniform_real_distribution<double> d(gemmviz_from,
						    gemmviz_to + 1);
		return (T)d(engine);
	}
};

}
using random::default_random_engine;
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}

#endif
