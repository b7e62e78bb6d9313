/*
 * defect_test: findings on stage, of a trace written by hand: two warps store a
 * row of S each and read both rows without a barrier between.
 */
#include <math.h>
#include <string.h>

#include "scene/scene.h"
#include "app/scene_opening.h"
#include "tap.h"

/* finding OUTSIDE's element is B[64], of 64. */
static const char text[] =
	"gemmviz trace 1\nkernel \"hand\"\nfile \"hand.cu\"\non \"cpu\"\n"
	"device \"\"\nsize 2 32 2\ngrid 1 1 1\nblock 32 2 1\nseed 1\n"
	"values yes\npartial no\nspaces global shared\ntext\n|kernel\n"
	"array 0 \"B\" global f32 4 [2][32] at 0x1000\n"
	"array 1 \"S\" shared f32 4 [2][32] at 0x0\n"
	"site 0 5:9 st 4 array 1\n"
	"site 1 7:9 ld 4 array 1\n"
	"site 2 8:9 barrier\n"
	"site 3 9:9 ld 4 array 0\n"
	"finding unwritten ld 4 7:12 by 0 0 other ld 0 0:0 by 0 0 array 1 at "
	"128 words \"\" \"\" numbers expected 0x0 got 0x0 count 32\n"
	"finding unordered st 4 5:12 by 0 32 other ld 4 7:12 by 0 0 array 1 "
	"at 128 words \"\" \"\" numbers expected 0x0 got 0x0 count 32\n"
	"finding outside-array ld 4 9:12 by 0 63 other ld 0 0:0 by 0 0 array "
	"0 at 256 words \"\" \"\" numbers expected 0x0 got 0x0 count 1\n"
	"finding barrier-ended ld 0 8:9 by 0 1 other ld 0 9:9 by 0 32 array "
	"none at 0 words \"\" \"\" numbers 32 64 expected 0x0 got 0x0 count "
	"1\n"
	"finding wrong-element ld 0 0:0 by 0 0 other ld 0 0:0 by 0 0 array 1 "
	"at 132 words \"\" \"\" numbers 1 64 expected 0x0 got 0x0 count 1\n"
	"warp 0 0\n"
	"0 ffffffff 0+4*32 = 1*32\n"
	"1 ffffffff 0+4*32 = 1*32\n"
	"1 ffffffff 128+4*32 = 0xffbadbad*32\n"
	"2 ffffffff\n"
	"warp 0 1\n"
	"0 ffffffff 128+4*32 = 2*32\n"
	"1 ffffffff 0+4*32 = 1*32\n"
	"1 ffffffff 128+4*32 = 2*32\n"
	"2 ffffffff\n"
	"3 7fffffff 128+4*31 = 3*31\n"
	"end\n";

/* Lane 31 has done nothing before it loads S[-1]. */
static const char nothing[] =
	"gemmviz trace 1\nkernel \"hand\"\nfile \"hand.cu\"\non \"cpu\"\n"
	"device \"\"\nsize 2 32 2\ngrid 1 1 1\nblock 32 1 1\nseed 1\n"
	"values no\npartial no\nspaces global shared\ntext\n|kernel\n"
	"array 0 \"S\" shared f32 4 [32] at 0x0\n"
	"site 0 5:9 st 4 array 0\n"
	"site 1 7:9 ld 4 array 0\n"
	"finding below-zero ld 4 7:12 by 0 31 other ld 0 0:0 by 0 0 array 0 at "
	"-4 words \"\" \"\" numbers expected 0x0 got 0x0 count 1\n"
	"warp 0 0\n"
	"0 7fffffff 0+4*31\n"
	"1 7fffffff 0+4*31\n"
	"end\n";

/* Block 0 does nothing; nor does block 1, all of whose lanes' first stores are
 * behind the end of S. */
static const char alone[] =
	"gemmviz trace 1\nkernel \"hand\"\nfile \"hand.cu\"\non \"cpu\"\n"
	"device \"\"\nsize 2 32 2\ngrid 3 1 1\nblock 32 1 1\nseed 1\n"
	"values no\npartial no\nspaces global shared\ntext\n|kernel\n"
	"array 0 \"S\" global f32 4 [32] at 0x0\n"
	"site 0 5:9 st 4 array 0\n"
	"finding outside-array st 4 5:9 by 1 0 other ld 0 0:0 by 0 0 array 0 at "
	"128 words \"\" \"\" numbers expected 0x0 got 0x0 count 32\n"
	"warp 0 0\n"
	"warp 1 0\n"
	"warp 2 0\n"
	"0 ffffffff 0+4*32\n"
	"end\n";

/* What line 8 loads, it stores where there is nothing. */
static const char astray[] =
	"gemmviz trace 1\nkernel \"hand\"\nfile \"hand.cu\"\non \"cpu\"\n"
	"device \"\"\nsize 2 32 2\ngrid 1 1 1\nblock 32 1 1\nseed 1\n"
	"values no\npartial no\nspaces global shared\ntext\n|kernel\n"
	"array 0 \"S\" global f32 4 [32] at 0x0\n"
	"site 0 8:9 ld 4 array 0\n"
	"finding null-pointer st 4 8:5 by 0 0 other ld 0 0:0 by 0 0 array none "
	"at 0 words \"\" \"\" numbers expected 0x0 got 0x0 count 32\n"
	"warp 0 0\n"
	"0 ffffffff 0+4*32\n"
	"end\n";

static struct trace *make(const char *text)
{
	struct error e = { 0 };
	int fd = temporary_file(&e);
	struct trace *t = NULL;

	if (fd < 0 || trace_parse(text, strlen(text), fd, &e) ||
	    !(t = trace_open_fd(fd, "hand", &e)))
		fatal("%s", e.text);
	return t;
}

static const struct scene *at(struct stage *s, size_t warp, uint32_t request)
{
	return stage_scene(s, &(struct cursor){ .warp = warp,
						.request = request });
}

static void test_here(struct stage *s)
{
	const struct scene *sc = at(s, 0, 1);

	tap_ok(!sc->finding, "a request that goes well has no finding");
	tap_is(sc->defect_count, 3, "three marks are in the first warp");
	tap_ok(sc->defect.finding && !sc->defect.here,
	       "the first is on stage nevertheless");
	sc = at(s, 0, 2);
	tap_ok(sc->finding && sc->finding->cause == CAUSE_UNWRITTEN,
	       "one that reads what nobody has stored has one");
	tap_ok(sc->defect.here, "it is the one on stage");
	tap_str(sc->defect.element, "S[1][0]", "its element has a name");
	tap_ok(sc->defect.row == 1 && !sc->defect.col && !sc->defect.outside,
	       "and a place in the array");
	tap_ok(sc->defect.access.has_value && isnan(sc->defect.access.value),
	       "what was read is no number");
	tap_ok(sc->defect.other.found && sc->defect.other.thread == 32 &&
	       sc->defect.other.value == 2 && !sc->defect.other_first,
	       "thread 32 stores it too late");
	tap_is(sc->arrays[1].owner[32], -1,
	       "what is read too early was not stored by anybody");
	tap_is(sc->arrays[1].owner[0], 0, "what the thread stored was");
	sc = at(s, 1, 2);
	tap_is(sc->arrays[1].owner[0], 0, "those before it had their turn");
}

/* From a finding to the next, round and round. */
static void test_next(struct stage *s)
{
	struct cursor p = { .request = 1 };
	const struct scene *sc = stage_scene(s, &p);

	cursor_defect(s, &p, 1);
	tap_ok(p.warp == 0 && p.request == 2 && p.lane == 0,
	       "the first finding is gone to");
	stage_scene(s, &p);
	cursor_defect(s, &p, 1);
	tap_ok(p.warp == 1 && p.request == 0, "the next is in warp 1");
	sc = stage_scene(s, &p);
	tap_ok(sc->finding->cause == CAUSE_UNORDERED &&
	       sc->defect.other_first && sc->defect.other.request == 2,
	       "of a race the earlier access comes first");
	cursor_defect(s, &p, 1);
	sc = stage_scene(s, &p);
	tap_ok(p.request == 4 && p.lane == 31 && sc->defect.outside &&
	       sc->defect.row == 2 && sc->defect.col == 0,
	       "an access outside its array is where its lane is missing");
	tap_str(sc->defect.element, "B[64]", "and has one index");
	cursor_defect(s, &p, 1);
	sc = stage_scene(s, &p);
	tap_ok(p.warp == 0 && p.request == 3 && p.lane == 1,
	       "who waits for ever is at the barrier");
	tap_ok(sc->defect.other.found && sc->defect.other.request == 4,
	       "and the one waited for is at what it did last");
	cursor_defect(s, &p, 1);
	sc = stage_scene(s, &p);
	tap_ok(p.warp == 1 && p.request == 0 && p.lane == 1 &&
	       sc->defect.access.op == OP_ST,
	       "a wrong result is where it is stored");
	cursor_defect(s, &p, 1);
	sc = stage_scene(s, &p);
	tap_is(sc->defect.index, 0, "behind the last comes the first");
	cursor_defect(s, &p, -1);
	tap_is(stage_scene(s, &p)->defect.index, 4, "and back");
}

static void test_nothing(struct stage *s)
{
	struct cursor p = { .request = 0 };
	const struct scene *sc;

	stage_scene(s, &p);
	cursor_defect(s, &p, 1);
	sc = stage_scene(s, &p);
	tap_ok(p.request == 1 && p.lane == 31 && sc->defect.here,
	       "a lane's first access is where the others do it");
	tap_ok(sc->defect.outside && sc->defect.row == -1 && !sc->defect.col,
	       "what is before a row is above its first element");
	tap_str(sc->defect.element, "S[-1]", "with its index");
}

static void test_alone(struct stage *s)
{
	struct cursor p = { .request = 0 };
	const struct scene *sc;

	tap_ok(!stage_opening(s, &p) && p.warp == 2,
	       "a kernel without a load begins where there are requests");
	sc = at(s, 0, 0);
	tap_ok(!sc->site && !sc->finding && sc->sentence && !scene_shown(sc),
	       "where there are none, a sentence says so");
	cursor_defect(s, &p, 1);
	sc = stage_scene(s, &p);
	tap_ok(p.warp == 1 && !sc->site && sc->defect.here && scene_shown(sc),
	       "a warp that did nothing before what is found is gone to");
	tap_ok(sc->line == 5 && sc->block.x == 1, "with the line and the block");
	sc = at(s, 2, 0);
	tap_ok(sc->site && sc->line == 5 && !sc->finding,
	       "and none of it is left at the next warp");
}

static void test_astray(struct stage *s)
{
	struct cursor p = { .request = 0 };
	const struct defect *d;

	stage_scene(s, &p);
	cursor_defect(s, &p, 1);
	d = &stage_scene(s, &p)->defect;
	tap_ok(d->here && d->access.line == 8 && d->access.op == OP_ST &&
	       !d->array,
	       "a store to no array is not the load of its line");
}

static void on_stage(const char *text, void (*test)(struct stage *s))
{
	struct trace *t = make(text);
	struct stage *s = stage_new(t);

	test(s);
	stage_free(s);
	trace_close(t);
}

int main(void)
{
	on_stage(text, test_here);
	on_stage(text, test_next);
	on_stage(nothing, test_nothing);
	on_stage(alone, test_alone);
	on_stage(astray, test_astray);
	return tap_done();
}
