/*
 * fragments_board: A left of C and B above it, each element a filled cell in the
 * hue of the lane that holds it.
 */
#ifndef VIZ_PICTURES_FRAGMENTS_BOARD_H
#define VIZ_PICTURES_FRAGMENTS_BOARD_H

#include "viz/frame_model.h"

/* The largest number of rows of an operand that is drawn. */
#define BOARD_ROWS 64

/* The columns that a wide picture keeps for what a lane holds. */
#define BOARD_ASIDE 38

/* An operand on the board. Rows are as high as the room allows: `tall` half
 * rows of the screen, from half row `top` on. */
struct board_operand {
	const struct fragment *layout;
	char name;		/* 'A', 'B', 'C' */
	struct rect r;
	int row0, rows, cols;	/* the rows that are shown, and the columns */
	int top[BOARD_ROWS], tall[BOARD_ROWS];
};

struct board {
	const struct frame_model *s;
	int lane;		/* in focus; of wgmma's 128 */
	struct fragment_place focus;	/* the element of C in focus */
	uint64_t own_rows;	/* those of C in which the lane has elements */
	bool cross;		/* B above C, else side by side */
	bool plain;		/* without numbers and names */
	bool ruler;		/* a row is left for the columns' numbers */
	int w;			/* columns of an element */
	int h;			/* rows of an element; 0: half of one */
	struct board_operand a, b, c;	/* layout NULL: not in registers */
};

/* Fills in the layouts and the focus of a matrix instruction's board. */
void board_init(struct board *b, const struct frame_model *s);
/* Places the operands in r: crosswise with whole rows if possible, best with
 * room at their right, then with half rows but for those in focus, then side by
 * side. False: they do not fit. */
bool board_place(struct board *b, struct rect r);
/* Places them crosswise at (x, y), an element w columns wide and h rows high (0:
 * half a row), without rulers. */
void board_place_at(struct board *b, int x, int y, int w, int h);

/* Returns the lane that holds an element, and its number in that lane. */
struct fragment_place board_holder(const struct board_operand *o, int row,
				   int col);
/* Returns the colour of a lane: its hue, in two shades of which neighbours have
 * different ones. */
enum role board_hue(int lane);
/* Returns the cells of an element. An element half a row high shares its cell:
 * *upper or *lower is set then. */
struct rect board_cell(const struct board *b, const struct board_operand *o,
		       int row, int col, bool *upper, bool *lower);
/* Finds the element at the cell (x, y) of an operand; false: there is none. */
bool board_find(const struct board *b, const struct board_operand *o, int x,
		int y, struct fragment_place *p);

/* Draws operands, rulers and titles; then, while a product is made, the pairs of
 * A and B on their way into the element in focus. */
void board_draw(struct canvas *c, const struct board *b);
/* Returns how many pairs have arrived there at the show's time; all of them
 * once it is made. */
int board_pairs(const struct board *b);

#endif
