/*
 * lesson: a Markdown file that says what to record, where to stand, what to
 * show, what to ask, and what must be so.
 *
 * The level-1 heading is the title, each level-2 heading starts a step, and
 * a fenced block of the language `gemmviz` holds directives, one a line:
 *
 *   place NUMBER                    where the lesson stands in the course
 *   record KERNEL [m=32] [n=32] [k=32] [NAME=VALUE ...] [as ALIAS]
 *   record FILE.cu block=X[xY[xZ]] grid=X[xY[xZ]] [shared=BYTES]
 *          [entry=NAME] [m=32] ... [as ALIAS]
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
 *                                   tiled:TILE=32, cublas-fp32; see timing/benchmark.h
 *   expect EXPR                     a claim that the test suite checks
 *
 * `place`, before the first step, is a number such as 2 or 2.5: the list of
 * lessons is in its order. A lesson without one is in no list, and is opened
 * as a file. `record` holds for all steps behind it. A file is meant from the
 * lesson's folder (of lessons/zh/NAME.md: from lessons/). The default alias is
 * the kernel's name, or the file's without its .cu. Words may hold {EXPR},
 * which is replaced by its value; so may the prose, its code and blocks of
 * code included ({{ is a brace). EXPR is expr.h's language over the traces;
 * see lesson_functions. The EXPR of
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
/* Wrong answers that a question shows beside the right one. */
#define LESSON_MAX_WRONGS 3

struct lesson_record {
	char *kernel, *alias;	/* kernel: of the table, or the file's name */
	char *file;		/* its path, or NULL: a kernel of the table */
	char *entry;		/* of a file: its kernel, or NULL: the only */
	struct trace_dim block, grid;	/* of a file */
	long shared_bytes;
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

struct lesson_wrong { char *expr, *words; int line; };

struct lesson_question {
	char *words, *answer, *right;
	struct lesson_wrong *wrongs;
	size_t wrong_count;
	int line, answer_line, right_line;
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
	int line;
};

struct benchmark_plan;

struct lesson_step {
	char *title;
	int line;
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
	char *path, *name, *title, *lang;
	double place;			/* NA: in no list */
	struct lesson_record records[LESSON_MAX_RECORDS];
	size_t record_count;
	struct lesson_step *steps;
	size_t step_count;
};

/* path is where the text is from; its last part without .md is the lesson's
 * name, its folder may be its language. Errors name path, line and what was
 * expected. */
struct lesson *lesson_parse(const char *path, const char *text, size_t len,
			    struct error *e);
/* A name is one of lesson_names(), or a path: it has a slash or ends in .md.
 * Where the lesson's folder has LANG/NAME.md, it is that one. */
struct lesson *lesson_load(const char *name, const char *lang,
			   struct error *e);
void lesson_free(struct lesson *l);
/* Names of the lessons in paths()->lessons that have a place in the course, in
 * its order; NULL-terminated, static. */
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
 * lesson_functions() (name, arguments, meaning: for errors). */
int lesson_eval(struct lesson_traces *traces, size_t step, const char *expr,
		struct value *out, struct error *e);
/* Words with {EXPR} replaced; heap. */
char *lesson_words(struct lesson_traces *traces, size_t step,
		   const char *words, struct error *e);
/*
 * Looks whether a lesson with all its traces is right: every stand is there,
 * every `expect` holds, the words have their numbers, and each question has
 * an answer that differs from its wrong ones. Tells each thing looked at, by
 * its line; why is NULL when it is right.
 */
typedef void lesson_verdict(void *ctx, int line, const char *what,
			    const char *why);
void lesson_check(struct lesson_traces *traces, lesson_verdict *tell,
		  void *ctx);

/* Whether an expression, or each {EXPR} in words, can be read and calls only
 * functions that there are; needs no trace. */
int lesson_expr_check(const char *expr, struct error *e);
int lesson_words_check(const char *words, struct error *e);
struct lesson_function { const char *name, *args, *meaning; };
const struct lesson_function *lesson_functions(size_t *count);

#endif
