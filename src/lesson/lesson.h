/*
 * lesson: a Markdown file that says what to record, where each step stands in
 * the trace, what it shows, what it asks, and which claims must hold.
 *
 * The level-1 heading is the title, each level-2 heading starts a step, and
 * a fenced block with the language `gemmviz` holds directives, one per line:
 *
 *   place NUMBER                    where the lesson stands in the course
 *   part WORDS                      the part of the course that begins with it
 *   record KERNEL [m=32] [n=32] [k=32] [NAME=VALUE ...] [as ALIAS]
 *   record FILE.cu block=X[xY[xZ]] grid=X[xY[xZ]] [shared=BYTES]
 *          [entry=NAME] [m=32] ... [as ALIAS]
 *   record PROGRAM [m=32] [n=32] [k=32] [devices=4] [NAME=VALUE ...] [as ALIAS]
 *                                   one of ours (kernels/programs.h): its first
 *                                   launch. Each record may have spaces=LIST,
 *                                   such as global,shared, and values=no, as
 *                                   of "gemmviz record": what no step shows
 *                                   need not be fetched
 *   use ALIAS                       the trace this step shows
 *   stand block=X,Y warp=W lane=L array=A op=ld nth=I phase=P turn=T
 *   show VIEW                       the step's picture; see scene/view_list.h;
 *                                   without it, the one that suits the request
 *   beside ALIAS                    another trace's, at the same point, beside
 *   beat SIZE                       how far a step of the reader goes: request,
 *                                   row, k, phase or tile; see scene/beat.h
 *   zoom LEVEL                      how far the picture `grid` zooms in: grid,
 *                                   block or warp (thread, an old word: warp)
 *   turn NAME STEPS                 what its keys turn, so many steps: pitch,
 *                                   swizzle, tile, registers, arch or rung
 *   ask WORDS                       a question; then
 *     answer EXPR                   its answer, from the trace
 *     wrong EXPR WORDS              a known misconception and its reply
 *     right WORDS                   what is said after the right answer
 *     draw NAME LOW..HIGH           a number of this question, drawn anew
 *     draw NAME 8, 16, 32           each time it is asked
 *   race KERNEL [KERNEL ...] [size N|MxNxK [...]]
 *                                   the step ends in a race of these: tiled,
 *                                   tiled:TILE=32, cublas-fp32; see
 *                                   timing/benchmark.h
 *   expect EXPR                     a claim that the test suite checks
 *   note WORDS                      to teachers, in `--plain --notes` alone
 *   learned EXPR WORDS              in the last step: what the lesson comes to,
 *                                   a number and a sentence
 *
 * `place`, before the first step, takes a number such as 2 or 2.5, by which
 * the list of lessons is ordered. A lesson without one is not listed and must
 * be opened as a file. `record` holds for all steps after it. Its FILE is
 * relative to the lesson's folder (for lessons/zh/NAME.md: to lessons/). The
 * default alias is the kernel's name, or the file's without its .cu.
 *
 * WORDS may contain {EXPR}, which is replaced by its value; so may the prose,
 * including its inline code and blocks of code ({{ stands for a brace). EXPR
 * is an expression over the traces in expr.h's language, with the functions
 * of lesson_functions(). The EXPR of `wrong` ends at the first space outside
 * of brackets and quotes. Without a `stand`, a step stands at the first
 * request of block 0,0, warp 0, lane 0. A stand's phase defaults to 0;
 * without array and op, any request counts.
 *
 * The numbers drawn for a question are names in its expressions and words. Of
 * its wrong answers those are left out that come to the same as the right one
 * or one before them; the first LESSON_MAX_WRONGS that remain are shown, and at
 * least two must, whatever is drawn. A question without `draw` may not have
 * more than these, and all of them must differ.
 */
#ifndef LESSON_LESSON_H
#define LESSON_LESSON_H

#include "base/base.h"
#include "base/expr.h"
#include "hardware/access.h"
#include "hardware/occupancy.h"
#include "scene/turns.h"
#include "trace/trace.h"

#define LESSON_MAX_RECORDS 10
/* How many wrong answers a question shows next to the right one. */
#define LESSON_MAX_WRONGS 3
#define LESSON_MAX_DRAWS 8

struct own_program;

struct lesson_record {
	/* kernel: one of the table, or the file's name */
	char *kernel, *alias;
	/* the file's path from the lesson's folder, which is "" or ends with a
	 * slash; or NULL: a kernel of the table */
	char *file, *folder;
	/* One of our programs, and the number of devices that it gets (0: its
	 * own choice); else NULL. */
	const struct own_program *program;
	uint32_t devices;
	char *entry;		/* the file's kernel, or NULL: its only one */
	struct trace_dim block, grid;	/* of a file */
	long shared_bytes;
	int m, n, k;
	uint32_t spaces;	/* a bit each; 0: all */
	bool no_values;
	struct trace_define *defines;
	size_t define_count;
	int line;
};

struct lesson_stand {
	uint32_t block_x, block_y, warp, lane;
	char *array;		/* NULL: any */
	int op;			/* enum op, or -1: any */
	/* the nth matching request from the start of the phase */
	uint32_t nth, phase;
	uint32_t turn;	/* of the program's work; 0: the launch's own */
};

struct lesson_wrong { char *expr, *words; int line; };

/* A number that is one of these, or of low to high if values is NULL. */
struct lesson_draw {
	char *name;
	int64_t low, high;
	int64_t *values;
	size_t value_count;
};

struct lesson_question {
	char *words, *answer, *right;
	struct lesson_wrong *wrongs;
	size_t wrong_count;
	struct lesson_draw *draws;	/* at most LESSON_MAX_DRAWS */
	size_t draw_count;
	int line, answer_line, right_line;
};

struct lesson_expect { char *expr; int line; };
struct lesson_note { char *words; int line; };

/* Prose as paragraphs of styled spans, which do not depend on a width. */
enum span_style { SPAN_PLAIN = 0, SPAN_STRONG = 1, SPAN_EMPHASIS = 2,
		  SPAN_CODE = 4 };
struct lesson_span { char *text; unsigned style; };
enum paragraph_kind { PARAGRAPH_TEXT, PARAGRAPH_ITEM, PARAGRAPH_CODE };
struct lesson_paragraph {
	enum paragraph_kind kind;
	int number;		/* 1.. in an ordered list, else 0 */
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
	char *use;		/* alias, or NULL: the previous step's */
	struct lesson_stand stand;
	bool has_stand;
	char **shows;
	size_t show_count;
	char *beside;	/* alias of the record shown next to it; NULL: none */
	char *beat;	/* the size of a beat, see scene/beat.h; NULL: as is */
	struct turns turns;
	struct lesson_question *questions;
	size_t question_count;
	struct lesson_expect *expects;
	size_t expect_count;
	struct benchmark_plan *race;	/* NULL: none */
	struct lesson_note *notes;
	size_t note_count;
	/* What was learned, a number and a sentence; NULL except in the last
	 * step. */
	char *learned, *learned_words;
	int learned_line;
};

struct lesson {
	char *path, *name, *title, *lang;
	double place;			/* NA: in no list */
	char *part;	/* that begins with this lesson, or NULL */
	struct lesson_record records[LESSON_MAX_RECORDS];
	size_t record_count;
	struct lesson_step *steps;
	size_t step_count;
};

/* Parses the text of a lesson read from path. The path's last part without .md
 * is the lesson's name; its folder may be its language. Errors name the path,
 * the line and what was expected. */
struct lesson *lesson_parse(const char *path, const char *text, size_t len,
			    struct error *e);
/* Parses a text like a lesson's that records nothing. */
struct lesson *lesson_parse_words(const char *path, const char *text,
				  size_t len, struct error *e);
/* Loads a lesson by name: one of lesson_names(), or a path, which has a slash
 * or ends in .md. If the lesson's folder has LANG/NAME.md, that file is read
 * instead. */
struct lesson *lesson_load(const char *name, const char *lang,
			   struct error *e);
void lesson_free(struct lesson *l);
/* Names of the lessons in paths()->lessons that have a place in the course, in
 * the course's order; NULL-terminated, static. */
const char *const *lesson_names(void);

/*
 * The traces of a lesson's records, by index; NULL where nothing is recorded
 * yet. Unqualified questions are answered from the step's own trace. `cache`
 * (NULL at first) keeps computed results until lesson_traces_forget(), which
 * must be called before a trace is closed or replaced.
 */
struct lesson_cache;
struct lesson_drawn {
	const struct lesson_question *question;	/* NULL: no numbers */
	int64_t value[LESSON_MAX_DRAWS];
};
/* The request and the launch that an expression asks the model of the machine
 * about, and the race that it asks for, and how often it asks. */
struct lesson_model {
	int accesses, launches, races;
	struct access access;
	char index[128];	/* the element of a lane, with what was drawn */
	struct occupancy_launch launch;
	/* Two kernels that are compared; race[1] "": with the library. */
	char race[2][64];
};
/* A name that expressions may use, and its value. */
struct lesson_cost {
	const char *name;
	int64_t value;
};
struct lesson_traces {
	const struct lesson *lesson;
	struct trace *trace[LESSON_MAX_RECORDS];
	struct lesson_drawn drawn;	/* of the question that is asked */
	const struct lesson_cost *costs;	/* more names, or NULL */
	size_t cost_count;
	struct lesson_cache *cache;
	struct lesson_model *model;	/* is filled in, if not NULL */
};
void lesson_traces_forget(struct lesson_traces *traces);

/* Finds a stand in a trace: the index of its warp and the request. Returns -1
 * with e. */
int lesson_stand_find(struct trace *t, const struct lesson_stand *s,
		      size_t *warp, uint32_t *request, struct error *e);
/* Returns the index of the record with this alias, or -1. */
long lesson_record_find(const struct lesson *l, const char *alias);
/* Returns the index of the record that a step shows: that of its `use`, or of
 * the last `use` before it. */
size_t lesson_step_record(const struct lesson *l, size_t step);

/* Computes an expression at a step. The functions it can call are those of
 * lesson_functions(), which gives each name, arguments and meaning for error
 * messages. Returns -1 with e. */
int lesson_eval(struct lesson_traces *traces, size_t step, const char *expr,
		struct value *out, struct error *e);
/* Returns the words with each {EXPR} replaced by its value; the caller frees
 * them. NULL with e. */
char *lesson_words(struct lesson_traces *traces, size_t step,
		   const char *words, struct error *e);
/* Draws the question's numbers, which its expressions then may name; NULL: they
 * may name none. The same seed gives the same numbers. */
void lesson_draw(struct lesson_traces *traces,
		 const struct lesson_question *q, uint64_t seed);
/* Finds what the question's answer asks the model; false: it has no value. */
bool lesson_find_model(struct lesson_traces *traces, size_t step,
		       const struct lesson_question *q,
		       struct lesson_model *out);
/* The answers to choose from, in order of value, but the order begins anywhere
 * and goes on with the smallest after the largest: the right one is as often in
 * one place as in another. */
struct lesson_choice {
	struct value value;
	char text[VALUE_TEXT_BYTES];	/* as it is shown */
	int wrong;			/* index of the wrong; -1: right */
};
#define LESSON_CHOICES (1 + LESSON_MAX_WRONGS)
/* Returns how many there are; 0 with e: one of them has no value. */
size_t lesson_choices(struct lesson_traces *traces, size_t step,
		      const struct lesson_question *q,
		      struct lesson_choice out[LESSON_CHOICES],
		      struct error *e);
/*
 * Checks a lesson that has all its traces: every stand exists, every `expect`
 * holds, every {EXPR} in the words has a value, and each question's answer
 * differs from its wrong ones; if it has `draw`s, for LESSON_SEEDS seeds. Calls `tell` for each thing checked, with its
 * line; why is NULL if the check passed.
 */
#define LESSON_SEEDS 1000
typedef void lesson_verdict(void *ctx, int line, const char *what,
			    const char *why);
void lesson_check(struct lesson_traces *traces, lesson_verdict *tell,
		  void *ctx);

/* Checks that an expression, or each {EXPR} in words, can be parsed and calls
 * only functions that exist; needs no trace. */
int lesson_expr_check(const char *expr, struct error *e);
int lesson_words_check(const char *words, struct error *e);
struct lesson_function { const char *name, *args, *meaning; };
const struct lesson_function *lesson_functions(size_t *count);

#endif
