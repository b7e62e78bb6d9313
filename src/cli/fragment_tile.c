/* fragment_tile: shows where elements are in a swizzled tile of shared
 * memory. */
#include <ctype.h>
#include <string.h>

#include "base/lang.h"
#include "cli/fragment_out.h"

/* A tile of A or of B. A row has as many elements along K, M or N as the
 * swizzle spans. */
struct shared_tile {
	char operand, layout, along;
	int rows, cols;		/* of the matrix */
	int bytes;		/* an element */
};

/* Returns an element's address in bytes, with the tile at 0. */
static int swizzled_address(const struct fragment_question *q,
			    const struct shared_tile *t, int row, int col)
{
	return t->layout == 'r' ?
	       fragment_swizzle(q->swizzle, row, col * t->bytes) :
	       fragment_swizzle(q->swizzle, col, row * t->bytes);
}

static void print_tile_json(const struct fragment_question *q,
			    const struct shared_tile *t)
{
	json_t *all = json_array();

	for (int row = 0; row < t->rows; row++)
		for (int col = 0; col < t->cols; col++) {
			if (q->row != NA && (q->row != row || q->col != col))
				continue;
			json_array_append_new(all, json_pack(
				"{s:i, s:i, s:i}", "row", row, "col", col,
				"address", swizzled_address(q, t, row, col)));
		}
	command_json_lines(all);
}

static void print_tile(const struct fragment_question *q, const char *name,
		       const struct shared_tile *t)
{
	int run = 16 / t->bytes;
	char buf[24];

	printf(_("%1$s %2$c in shared memory, %3$c-major, %4$d-byte swizzle\n"
		 "Each number is the byte offset of %5$d elements along %3$c; "
		 "the pattern repeats\n"
		 "every 8 rows, that is every %6$d bytes.\n"
		 "\n"),
	       name, t->operand, t->along, q->swizzle, run,
	       8 * q->swizzle);
	printf("%3c\\%c", t->along != 'K' ? 'k' : t->operand == 'A' ? 'm' :
	       'n', tolower(t->along));
	for (int byte = 0; byte < q->swizzle; byte += 16) {
		fragment_out_range(buf, sizeof(buf), byte / t->bytes, run);
		printf(" %7s", buf);
	}
	putchar('\n');
	for (int row = 0; row < 8; row++) {
		printf("%5d", row);
		for (int byte = 0; byte < q->swizzle; byte += 16)
			printf(" %7d", fragment_swizzle(q->swizzle, row, byte));
		putchar('\n');
	}
}

static int find_tile(const struct fragment_wish *w,
		     const struct fragment_question *q, struct shared_tile *t,
		     struct error *e)
{
	struct fragment_wish wish = { .name = w->name, .operand = 'A',
				      .arch = w->arch };
	struct fragment a, d;
	int along, k, mn;

	if (fragment_find(&wish, &a, e) < 0)
		return -1;
	if (a.family != FRAGMENT_WGMMA ||
	    (w->operand != 'A' && w->operand != 'B'))
		return error_set(e, EXIT_USAGE, "--swizzle is only for A and B "
				 "of wgmma");
	wish.operand = 'D';
	if (fragment_find(&wish, &d, e) < 0)
		return -1;
	*t = (struct shared_tile){
		.operand = w->operand, .bytes = a.bits / 8, .along = 'K',
		.layout = w->operand == 'A' ? 'r' : 'c',
	};
	if (w->layout && w->layout != t->layout) {
		t->layout = w->layout;
		t->along = w->operand == 'A' ? 'M' : 'N';
	}
	if (t->along != 'K' && a.bits != 16)
		return error_set(e, EXIT_USAGE, "%s takes %c K-major only",
				 w->name, w->operand);
	along = q->swizzle / t->bytes;
	k = t->along == 'K' ? along : a.cols;
	mn = t->along != 'K' ? along : w->operand == 'A' ? a.rows : d.cols;
	t->rows = w->operand == 'A' ? mn : k;
	t->cols = w->operand == 'A' ? k : mn;
	return 0;
}

int fragment_tile(const struct fragment_wish *w,
		  const struct fragment_question *q, struct error *e)
{
	struct shared_tile t = { 0 };

	if (find_tile(w, q, &t, e) < 0)
		return -1;
	if (q->lane != NA)
		return error_set(e, EXIT_USAGE, "with --swizzle, --lane has no "
				 "meaning: the tile is in shared memory");
	if (q->row >= t.rows || q->col >= t.cols)
		return fragment_out_outside("the tile", t.rows, t.cols, e);
	if (q->json)
		print_tile_json(q, &t);
	else if (q->row != NA)
		printf(_("%1$c[%2$d][%3$d] is at byte %4$d of the tile.\n"),
		       t.operand, q->row, q->col,
		       swizzled_address(q, &t, q->row, q->col));
	else
		print_tile(q, w->name, &t);
	return 0;
}
