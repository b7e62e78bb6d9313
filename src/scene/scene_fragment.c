/* scene_fragment: what part of a fragment a register holds, if the current line
 * names a matrix instruction. */
#include <stdlib.h>
#include <string.h>

#include "hardware/fragment.h"
#include "base/lang.h"
#include "scene/scene.h"

/* Instructions of ptx.h: what is in a lane's registers, argument by argument,
 * and how many elements of each. */
static const struct named_instruction {
	const char *word, *name, *says, *operands;
	uint32_t elements[3];
} instructions[] = {
	{ "mma_m16n8k16", "m16n8k16.f16", "m16n8k16", "DAB", { 4, 8, 4 } },
	{ "ldmatrix_x4_trans",
	  "ldmatrix.x4.trans",
	  "ldmatrix.x4.trans",
	  "R",
	  { 8 } },
	{ "ldmatrix_x4", "ldmatrix.x4", "ldmatrix.x4", "R", { 8 } },
	{ "stmatrix_x4", "stmatrix.x4", "stmatrix.x4", " R", { 0, 8 } },
	{ "stmatrix_x2_trans",
	  "stmatrix.x2.trans",
	  "stmatrix.x2.trans",
	  " R",
	  { 0, 4 } },
};

static bool is_whole_word(const char *at, const char *line, size_t length)
{
	return (at == line || !strchr("_abcdefghijklmnopqrstuvwxyz", at[-1])) &&
	       !strchr("_0123456789abcdefghijklmnopqrstuvwxyz", at[length]);
}

/* Returns which argument of the call begins with the array's name, or -1. */
static int find_argument(const char *call, const char *name)
{
	int depth = 0, n = 0;

	for (; *call; call++) {
		depth += *call == '(' || *call == '[';
		depth -= *call == ')' || *call == ']';
		n += *call == ',' && depth == 1;
		if (!strncmp(call, name, strlen(name)) &&
		    is_whole_word(call, call, strlen(name)) &&
		    strchr("(&* ", call[-1]))
			return n;
	}
	return -1;
}

static void say_fragment(struct scene *sc, const struct named_instruction *i,
			 int argument)
{
	struct fragment_wish wish = { i->name, i->operands[argument], 0, 0,
				      NULL };
	uint32_t packed = sc->array->elem == ELEM_U32 ? 2 : 1, first;
	struct fragment f;
	size_t used = 0;

	if (fragment_find(&wish, &f, NULL))
		return;
	first = (uint32_t)(sc->request.offset[sc->cursor.lane] /
			   sc->array->elem_bytes * packed %
			   i->elements[argument]);
	for (uint32_t n = 0; n < packed; n++) {
		struct fragment_place p = { .lane = (int)sc->cursor.lane,
					    .element = (int)(first + n) };
		char matrix[16] = "";

		fragment_element(&f, &p);
		if (f.matrices > 1)
			snprintf(matrix, sizeof(matrix), "%d", p.matrix);
		used += (size_t)snprintf(sc->fragment + used,
					 sizeof(sc->fragment) - used,
					 "%s%c%s(%d,%d)", n ? " " : "",
					 f.operand, matrix, p.row, p.col);
	}
	snprintf(sc->fragment + used, sizeof(sc->fragment) - used,
		 _(" of %s"), i->says);
}

/* Fills sc->fragment from the current line and the next one, for a call may
 * take two. */
void scene_fragment(struct scene *sc)
{
	const struct source *src = sc->source;
	char *line;
	int argument;

	sc->fragment[0] = 0;
	if (!sc->array || sc->array->space != SPACE_REGISTER ||
	    !sc->lane_active || !sc->site->line ||
	    sc->site->line > sc->source->count)
		return;
	line = xasprintf("%s %s", src->lines[sc->site->line - 1].text,
			 sc->site->line < src->count ?
			 src->lines[sc->site->line].text : "");
	for (size_t i = 0; i < LENGTH(instructions); i++) {
		const struct named_instruction *is = &instructions[i];
		const char *at;

		at = strstr(line, is->word);
		if (!at || !is_whole_word(at, line, strlen(is->word)))
			continue;
		argument =
			find_argument(at + strlen(is->word), sc->array->name);
		if (argument >= 0 && argument < (int)strlen(is->operands) &&
		    is->elements[argument])
			say_fragment(sc, is, argument);
		break;
	}
	free(line);
}
