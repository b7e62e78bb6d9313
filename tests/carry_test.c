/*
 * carry_test: where what is in shared memory came from when it goes through
 * registers (sgemm's A), and what a ring of stages holds that TMA fills.
 */
#include "emu_ask.h"
#include "viz/pictures/tiles/scene_tiles.h"
#include "scene/stage.h"

static const struct scene *stand(struct stage *s, size_t warp,
				 uint32_t request)
{
	stage_scene(s, &(struct cursor){ .warp = warp, .request = request });
	scene_tiles(s, NULL);
	return &s->scene;
}

/* The nth request of a warp with this line's op to an array. */
static uint32_t find(struct trace *t, size_t warp, enum op op,
		     const char *array, uint32_t nth)
{
	const struct trace_info *info = trace_info(t);
	uint32_t site;

	for (uint32_t i = 0; i < trace_warp(t, warp)->requests; i++) {
		if (trace_get_site(t, warp, i, &site, NULL) ||
		    info->sites[site].op != op ||
		    info->sites[site].array == TRACE_NO_ARRAY ||
		    strcmp(info->arrays[info->sites[site].array].name, array))
			continue;
		if (!nth--)
			return i;
	}
	return 0;
}

/* A goes through float4s and through an array in a structure; each thread
 * brings 8 of 128 x 16 elements. */
static void test_registers(void)
{
	struct trace *t = recorded("sgemm", "", 128, 128, 64);
	struct stage *s = stage_new(t);
	const struct scene *sc = stand(s, 0, find(t, 0, OP_LD, "A", 4));
	uint32_t from_a = 0, from_b = 0, wrong = 0;

	for (size_t i = 0; i < sc->array_count; i++)
		for (uint32_t e = 0; sc->tiles->cell[i] &&
		     e < sc->arrays[i].rows * sc->arrays[i].cols; e++) {
			const struct tile_value *v =
				&sc->tiles->cell[i][e].now;
			double want;

			if (v->by < 0 || v->array < 0)
				continue;
			from_a += v->array == sc->a;
			from_b += v->array == sc->b;
			wrong += !scene_element(sc, &sc->arrays[v->array],
						v->row, v->col, &want) ||
				 want != v->number;
		}
	tap_is(from_a, 128 * 16, "sgemm: a step's tile of A is followed");
	tap_is(from_b, 128 * 16, "as is that of B");
	tap_is(wrong, 0, "each element is what the matrix holds there");
	stage_free(s);
	trace_close(t);
}

/* Which tile is in each stage, and how far it is, as letters. */
static const char *ring(const struct scene *sc)
{
	static const char turns[] = ".fruo";
	static char buf[64];
	size_t n = 0;

	for (uint32_t i = 0; i < sc->tiles->stages; i++)
		n += (size_t)snprintf(buf + n, sizeof(buf) - n, "%u%c ",
			sc->tiles->stage[i] == ROAD_NONE ? 0 :
			sc->road->uses[sc->tiles->stage[i]].number,
			turns[sc->tiles->turn[i]]);
	return buf;
}

static void test_ring(void)
{
	struct trace *t = recorded("tma_pipeline", "", 256, 128, 640);
	struct stage *s = stage_new(t);
	size_t producer = (size_t)trace_find_warp(t, 0, 0);
	size_t consumer = (size_t)trace_find_warp(t, 0, 4);
	const struct scene *sc = stand(s, producer, 0);
	uint32_t at;

	tap_ok(sc->tiles->ring, "tma_pipeline has a ring");
	tap_str(ring(sc), "0. 0. 0. 0. ", "of four stages, empty at first");
	at = find(t, producer, OP_TMA_LD, "A", 1);
	sc = stand(s, producer, at);
	tap_str(ring(sc), "0f 1f 0. 0. ", "two are on their way");
	at = find(t, consumer, OP_MBAR_ARRIVE, "shared.empty", 0);
	sc = stand(s, consumer, at);
	tap_is(sc->tiles->stages, 4, "four at a consumer's release, too");
	tap_ok(sc->tiles->turn[1] == TURN_IN_USE, "which reads the second");
	at = find(t, producer, OP_TMA_LD, "A", 9);
	sc = stand(s, producer, at);
	tap_is(sc->road->uses[sc->tiles->stage[1]].number, 9,
	       "the tenth tile is in the second stage");
	tap_is(sc->tiles->now[sc->a].col1, 639, "and ends where A ends");
	tap_is(sc->tiles->now[sc->a].row1, 255, "on all of its rows");
	stage_free(s);
	trace_close(t);
}

int main(void)
{
	test_registers();
	test_ring();
	runner_free(runner);
	return tap_done();
}
