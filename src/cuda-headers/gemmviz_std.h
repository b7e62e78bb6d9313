/*
 * gemmviz_std: cuda::std, which has what std has. Its atomics are those of
 * gemmviz_atomic.h; its barriers are not among it.
 */
#ifndef GEMMVIZ_STD_H
#define GEMMVIZ_STD_H

#include <algorithm>
#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <numeric>
#include <ratio>
#include <tuple>
#include <type_traits>
#include <utility>
#if __cplusplus >= 201703L
#include <optional>
#include <variant>
#endif
#if __cplusplus >= 202002L
#include <bit>
#endif

namespace cuda {
namespace std {

using namespace ::std;
#if __cplusplus < 202002L
struct identity {
	template <class T> constexpr T &&operator()(T &&v) const
	{ return static_cast<T &&>(v); }
};
#endif

}
}

#endif
