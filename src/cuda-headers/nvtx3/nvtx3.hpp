/* NVTX for C++: its ranges, marks and their attributes, which nobody reads. */
#ifndef GEMMVIZ_NVTX3_HPP
#define GEMMVIZ_NVTX3_HPP

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

struct domain {
	struct global {
		static constexpr const char *name = "";
	};
	template <typename = global> static const domain &get()
	{
		static const domain its;

		return its;
	}
};

/* An attribute: whatever it is made of. */
#define GEMMVIZ_NVTX(name) \
	struct name { \
		template <typename... T> constexpr name(const T &...) { } \
	};
GEMMVIZ_NVTX(rgb)
GEMMVIZ_NVTX(argb)
GEMMVIZ_NVTX(color)
GEMMVIZ_NVTX(category)
GEMMVIZ_NVTX(payload)
GEMMVIZ_NVTX(message)
GEMMVIZ_NVTX(event_attributes)
GEMMVIZ_NVTX(range_handle)

template <typename = domain::global> struct registered_string_in {
	template <typename... T> explicit registered_string_in(const T &...) { }
	template <typename> static const registered_string_in &get()
	{
		static const registered_string_in its;

		return its;
	}
};
template <typename = domain::global> struct named_category_in {
	template <typename... T> explicit named_category_in(const T &...) { }
	template <typename> static const named_category_in &get()
	{
		static const named_category_in its;

		return its;
	}
};
using registered_string = registered_string_in<>;
using named_category = named_category_in<>;

/* Ranges end where they are destroyed. */
template <typename = domain::global> struct scoped_range_in {
	template <typename... T> explicit scoped_range_in(const T &...) { }
	scoped_range_in(const scoped_range_in &) = delete;
	~scoped_range_in() { }
};
template <typename = domain::global> struct unique_range_in {
	template <typename... T> explicit unique_range_in(const T &...) { }
	unique_range_in(unique_range_in &&) { }
	~unique_range_in() { }
};
using scoped_range = scoped_range_in<>;
using unique_range = unique_range_in<>;
using thread_range = scoped_range;

template <typename = domain::global, typename... T>
inline range_handle start_range_in(const T &...)
{
	return {};
}
template <typename... T> inline range_handle start_range(const T &...)
{
	return {};
}
template <typename = domain::global>
inline void end_range_in(const range_handle &) { }
inline void end_range(const range_handle &) { }
template <typename = domain::global, typename... T>
inline void mark_in(const T &...) { }
template <typename... T> inline void mark(const T &...) { }

#undef GEMMVIZ_NVTX
}
}

#define NVTX3_FUNC_RANGE() ((void)0)
#define NVTX3_FUNC_RANGE_IF(condition) ((void)(condition))
#define NVTX3_FUNC_RANGE_IN(domain) ((void)0)
#define NVTX3_FUNC_RANGE_IF_IN(domain, condition) ((void)(condition))

#endif
