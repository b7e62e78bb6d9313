/*
 * lesson: a Markdown file that says what to record, where to stand, what to
 * show, what to ask, and what must be so.
 *
 * The level-1 heading is the title, each level-2 heading starts a step, and
 * a fenced block of the language `gemmviz` holds directives, one a line:
 *
 *   record KERNEL [m=32] [n=32] [k=32] [NAME=VALUE ...] [as ALIAS]
 *   use ALIAS                       the trace this step shows
 *   stand block=X,Y warp=W lane=L array=A op=ld nth=I phase=P
 *   show VIEW [VIEW]                where a small screen begins, and what the
 *                                   panel shows where both have room:
 *                                   matrices shared; see scene/view_list.h
 *   ask WORDS                       a question; then
 *     answer EXPR                   its answer, from the trace
 *     wrong EXPR WORDS              a known misconception and its reply
 *     right WORDS                   what is said after the right answer
 *   race KERNEL [KERNEL ...] [size N|MxNxK [...]]
 *                                   the step ends in this race: tiled,
 *                                   tiled:TILE=32, cublas-fp32; see race.h
 *   expect EXPR                     a claim that the test suite checks
 *
 * `record` holds for all steps behind it. The default alias is the kernel's
 * name. Words may hold {EXPR}, which is replaced by its value; so may the
 * prose, its code and blocks of code included ({{ is a brace). EXPR is
 * expr.h's language over the traces; see lesson_functions. The EXPR of
 * `wrong` ends at the first space outside of brackets and quotes. Without a
 * `stand` a step stands at the first request of block 0,0, warp 0, lane 0;
 * its phase defaults to 0, and without array and op any request counts.
 */
#ifndef LESSON_LESSON_H
#define LESSON_LESSON_H

#include "base/base.h"
#include "base/expr.h"
#include "trace/trace.h"

#define LESSON_MAX_RECORDS 8

struct lesson_record {
	char *kernel, *alias;
	int m, n, k;
	struct trace_define *defines;
	size_t define_count;
	int line;
};

struct lesson_stand {
	uint32_t block_x, block_y, warp, lane;
	char *array;		/* NULL: any */
	int op;			/* enum op, or -1: any */
	uint32_t nth, phase;	/* the nth such request from phase's start */
};

struct lesson_wrong { char *expr, *words; };

struct lesson_question {
	char *words, *answer, *right;
	struct lesson_wrong *wrongs;
	size_t wrong_count;
	int line;
};

struct lesson_expect { char *expr; int line; };

/* Prose as paragraphs of styled spans, independent of any width. */
enum span_style { SPAN_PLAIN = 0, SPAN_STRONG = 1, SPAN_EMPHASIS = 2,
		  SPAN_CODE = 4 };
struct lesson_span { char *text; unsigned style; };
enum paragraph_kind { PARAGRAPH_TEXT, PARAGRAPH_ITEM, PARAGRAPH_CODE };
struct lesson_paragraph {
	enum paragraph_kind kind;
	int number;		/* ordered items: 1.., else 0 */
	struct lesson_span *spans;
	size_t span_count;
};

struct benchmark_plan;

struct lesson_step {
	char *title;
	struct lesson_paragraph *prose;
	size_t prose_count;
	char *use;		/* alias, or NULL: as the step before */
	struct lesson_stand stand;
	bool has_stand;
	char **shows;
	size_t show_count;
	struct lesson_question *questions;
	size_t question_count;
	struct lesson_expect *expects;
	size_t expect_count;
	struct benchmark_plan *race;	/* NULL: none */
};

struct lesson {
	char *name, *title, *lang;
	struct lesson_record records[LESSON_MAX_RECORDS];
	size_t record_count;
	struct lesson_step *steps;
	size_t step_count;
};

/* name is NAME or LANG/NAME. Errors name file, line and what was expected. */
struct lesson *lesson_parse(const char *name, const char *text, size_t len,
			    struct error *e);
/* By name in paths()->lessons, in lang ("en", "zh") where there is one. */
struct lesson *lesson_load(const char *name, const char *lang,
			   struct error *e);
void lesson_free(struct lesson *l);
/* Names of all lessons in teaching order; NULL-terminated, static. */
const char *const *lesson_names(void);

/*
 * The traces of a lesson's records, by index; NULL where not recorded. The
 * step's own trace answers unqualified questions. What was worked out is
 * kept in `cache` (NULL at first) until lesson_traces_forget(), which must
 * be called before a trace is closed or replaced.
 */
struct lesson_cache;
struct lesson_traces {
	const struct lesson *lesson;
	struct trace *trace[LESSON_MAX_RECORDS];
	struct lesson_cache *cache;
};
void lesson_traces_forget(struct lesson_traces *traces);

/* Where a stand is: the warp's index in the trace and the request. */
int lesson_stand_find(struct trace *t, const struct lesson_stand *s,
		      size_t *warp, uint32_t *request, struct error *e);
/* The index of the record with this alias, or -1. */
long lesson_record_find(const struct lesson *l, const char *alias);
/* Which record a step shows (use, inherited). */
size_t lesson_step_record(const struct lesson *l, size_t step);

/* Evaluates an expression at a step; the functions are those listed by
 * lesson_functions() (name, arguments, meaning: for HACKING and errors). */
int lesson_eval(struct lesson_traces *traces, size_t step, const char *expr,
		struct value *out, struct error *e);
/* Words with {EXPR} replaced; heap. */
char *lesson_words(struct lesson_traces *traces, size_t step,
		   const char *words, struct error *e);
/* Whether an expression, or each {EXPR} in words, can be read and calls only
 * functions that there are; needs no trace. */
int lesson_expr_check(const char *expr, struct error *e);
int lesson_words_check(const char *words, struct error *e);
struct lesson_function { const char *name, *args, *meaning; };
const struct lesson_function *lesson_functions(size_t *count);

#endif
