/* A kernel's parameters, read from its text. */
#include <stdlib.h>

#include "gpu/device/signature.h"
#include "tap.h"

static struct debug_function *read_good(const char *text, const char *entry)
{
	struct error e;
	struct debug_function *f = signature_read(text, entry, &e);

	if (!f)
		fatal("%s: %s", text, e.text);
	return f;
}

static const char kinds[] = { [DEBUG_OTHER] = '?', [DEBUG_INTEGER] = 'i',
			      [DEBUG_REAL] = 'r', [DEBUG_POINTER] = '*',
			      [DEBUG_AGGREGATE] = '{',
			      [DEBUG_TENSOR_MAP] = 't' };

static bool leads_elsewhere(const struct debug_type *t)
{
	return t->kind == DEBUG_POINTER || t->kind == DEBUG_TENSOR_MAP;
}

/* "f A*4 N i4": the function, and each parameter's name, kind and bytes (of a
 * pointer, of the elements), and of a tensor map its box and swizzle. */
static void says(const struct debug_function *f, const char *want)
{
	struct str s = { 0 };

	str_add(&s, f->name);
	for (size_t i = 0; i < f->var_count; i++) {
		const struct debug_type *t = &f->vars[i].type;

		str_addf(&s, " %s%c%d", f->vars[i].name, kinds[t->kind],
			 (int)(leads_elsewhere(t) ? t->elem_bytes : t->bytes));
		if (t->kind == DEBUG_TENSOR_MAP)
			str_addf(&s, ":%dx%d/%d", (int)t->dims[0],
				 (int)t->dims[1], (int)t->swizzle);
	}
	tap_str(s.data, want, "%s", want);
	str_done(&s);
}

static void reads(const char *text, const char *entry, const char *want)
{
	struct debug_function *f = read_good(text, entry);

	says(f, want);
	signature_free(f);
}

/* The same with what the linker calls it. */
static void resolves(const char *text, const char *entry, const char *linkage,
		     const char *want)
{
	struct debug_function *f = read_good(text, entry);

	signature_resolve(f, linkage);
	says(f, want);
	signature_free(f);
}

static void refuses(const char *text, const char *entry, const char *words)
{
	struct error e = { .text = "" };
	struct debug_function *f = signature_read(text, entry, &e);

	tap_ok(!f && strstr(e.text, words), "refused: %s", words);
	signature_free(f);
}

int main(void)
{
	reads("__global__ void f(const float *A, const float *B, float *C, "
	      "int M, int N, int K) { }", NULL, "f A*4 B*4 C*4 Mi4 Ni4 Ki4");
	reads("extern \"C\" __global__ void __launch_bounds__(256, 2)\n"
	      "gemm(const __half *__restrict__ A, half* B, float C[],\n"
	      "     size_t n, float alpha, unsigned long k)\n{ }", "gemm",
	      "gemm A*2 B*2 C*4 ni8 alphar4 ki8");
	reads("// __global__ void no(int a)\n/* __global__ void no() */\n"
	      "__device__ int h(int x) { return x; }\n"
	      "static __global__ void yes(double *C, float4 *D) { h(1); }",
	      NULL, "yes C*8 D*4");
	reads("const char *s = \"__global__ void no(int)\";"
	      "__global__ void none(void) {}", NULL, "none");
	reads("__global__ void a(int x) {} __global__ void b(int y) {}", "b",
	      "b yi4");
	reads("__global__ void t(std::pair<int, int> p, float *) {}", NULL,
	      "t p?0 *4");
	reads("__global__ void s(Shape shape) {}", NULL, "s shape?0");
	reads("__global__ void m(const __grid_constant__ tensor_map<half, 128, "
	      "64> A, tensor_map<float, 8, TILE, 32> B, T *C) {}", NULL,
	      "m At2:128x64/128 Bt4:8x0/32 C*0");
	resolves("__global__ void h(const __grid_constant__ tensor_map<T, BM, "
		 "BK> A, tensor_map<T, BK, 64, S> B, T *C, int M, int N)", NULL,
		 "_Z1h10tensor_mapI6__halfLi128ELi64ELi128EES_IS0_Li64ELi64E"
		 "Li0EEPS0_ii",
		 "h At2:128x64/128 Bt2:64x64/0 C*2 Mi4 Ni4");
	resolves("template <int N> __global__ void f(const T *A, size_t n) {}",
		 "f<3>", "_Z1fILi3EEvPK13__nv_bfloat16m", "f<3> A*2 ni8");
	resolves("extern \"C\" __global__ void f(const float *A) {}",
		 NULL, "f", "f A*4");
	resolves("__global__ void f(const float *A) {}", NULL, "_Z1fii",
		 "f A*4");
	resolves("template <class T> __global__ void f(const T *A, T *C) {}\n"
		 "int main() { puts(R\"(\" { )\"); f<float><<<1, 1>>>(a, c); }\n"
		 "__global__ void g() {}", "f<float>", "_Z1fIfEvPKT_PS0_",
		 "f<float> A*4 C*4");
	refuses("int main() { }", NULL, "the file has no kernel");
	refuses("__global__ void a() {} __global__ void b() {}", NULL,
		"several kernels");
	refuses("__global__ void tiled() {}", "tile",
		"no kernel tile; did you mean tiled?");
	refuses("template <class T> __global__ void f(T *A) {}\n"
		"void g(float *x) { f<float><<<1, 1>>>(x); }", "f",
		"f is a template: give its arguments, such as --entry "
		"'f<float>'");
	refuses("__global__", NULL, "no kernel");
	refuses("__global__ void f(", "g", "no kernel");
	refuses("/* __global__ void f(int a) {", NULL, "no kernel");
	return tap_done();
}
