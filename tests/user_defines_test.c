/*
 * user_defines_test: -D and the macros of a reader's text.
 */
#include <stdlib.h>
#include <string.h>

#include "record/user_defines.h"
#include "tap.h"

static const char text[] =
	"#define TILE 16\n"
	"#define TWICE(x) ((x) * 2)\n"
	"#ifdef DEBUG\n"
	"#define TILE \\\n"
	"	4\n"
	"#endif\n"
	"static constexpr int STEP = 4;\n"
	"// NOWHERE\n"
	"__global__ void k(float *A) { A[TILE] = STEP == TWICE(2); }\n";

static const char constant[] = "constexpr int WORK = 4;\n";

static void check_in(const char *text, const char *name, const char *want,
		     const char *error)
{
	struct trace_define d = { (char *)name, (char *)"8" };
	char *copy = strdup(text);
	struct error e = { 0 };
	int status = user_defines_apply(&(struct user_text)
		{ copy, "my.cu" }, 1, &d, 1, &e);

	tap_is(status, *error ? -1 : 0, "-D %s=8", name);
	tap_str(status ? e.text : copy, *error ? error : want,
		"is taken as it should be");
	if (*error)
		tap_is(e.status, EXIT_USAGE, "as wrong usage");
	free(copy);
}

static void check(const char *name, const char *want, const char *error)
{
	check_in(text, name, want, error);
}

int main(void)
{
	check("TILE",
	      "               \n"
	      "#define TWICE(x) ((x) * 2)\n"
	      "#ifdef DEBUG\n"
	      "              \n"
	      "  \n"
	      "#endif\n"
	      "static constexpr int STEP = 4;\n"
	      "// NOWHERE\n"
	      "__global__ void k(float *A) { A[TILE] = STEP == TWICE(2); }\n",
	      "");
	check("DEBUG", text, "");
	check("A", text, "");
	check("TWICE", "", "-D TWICE=8: my.cu:2 defines it as a macro with "
	      "parameters");
	check("STEP", "", "-D STEP=8: my.cu:7 declares it as a constant; -D "
	      "defines only macros");
	check_in(constant, "WORK", "", "-D WORK=8: my.cu:1 declares it as a "
		 "constant; -D defines only macros");
	check("NOWHERE", "", "-D NOWHERE=8: my.cu does not contain this name");
	return tap_done();
}
