/* canvas: prints the picture as text. */
#include "base/text.h"
#include "viz/canvas.h"

char role_letter(enum role role)
{
	/* In the order of enum role. */
	static const char letters[ROLE_COUNT + 1] =
		".tdfsabTBKLSgxwkcn-=+:@0123MNOPWXYZHRACDEFGIJ5678}{<>";

	return letters[role];
}

/* Returns the row's length without the blank cells at its end. */
static int row_length(const struct cell *row, int w, bool bg)
{
	while (w > 0 && (bg ? row[w - 1].bg == 0 : row[w - 1].ch == ' '))
		w--;
	return w;
}

static void print_characters(const struct canvas *c, struct str *out)
{
	char bytes[4];

	for (int y = 0; y < c->h; y++) {
		const struct cell *row = &c->cells[(size_t)y * c->w];
		int n = row_length(row, c->w, false);

		for (int x = 0; x < n; x++)
			if (row[x].ch)
				str_addn(out, bytes,
					 text_encode(row[x].ch, bytes));
		str_addc(out, '\n');
	}
}

static void print_role_letters(const struct canvas *c, bool bg, struct str *out)
{
	for (int y = 0; y < c->h; y++) {
		const struct cell *row = &c->cells[(size_t)y * c->w];
		int n = row_length(row, c->w, bg);

		for (int x = 0; x < n; x++) {
			uint8_t fg = row[x].ch == ' ' ? 0 : row[x].fg;

			str_addc(out, role_letter(bg ? row[x].bg : fg));
		}
		str_addc(out, '\n');
	}
}

void canvas_print(const struct canvas *c, bool roles, struct str *out)
{
	print_characters(c, out);
	if (roles) {
		str_add(out, "-- fg\n");
		print_role_letters(c, false, out);
		str_add(out, "-- bg\n");
		print_role_letters(c, true, out);
	}
}
