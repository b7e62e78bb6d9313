/*
 * page: the border between the program and the page that it runs in.
 *
 * The page calls the functions marked KEEP, whose names begin with web_, and
 * has those below (library.js). Texts are in UTF-8; one that is returned
 * stays as it is until the function's next call.
 */
#ifndef WEB_PAGE_H
#define WEB_PAGE_H

#include <emscripten.h>
#include <stdint.h>

#define KEEP EMSCRIPTEN_KEEPALIVE

/* A cell as it is drawn: colours are 0xRRGGBB; bold 1, underline 2. ch 0: the
 * right half of a wide character. */
struct page_cell { uint32_t ch, fg, bg, attr; };

/* Fetches a recording; its fate comes by web_fetched() and web_arrived(). */
void page_fetch(int order, const char *file);
/* Shows the cells whose indices are listed of a screen of w x h cells, on a
 * ground of that colour. */
void page_show(const struct page_cell *cells, const uint32_t *changed,
	       int count, int w, int h, uint32_t ground);
/* Gives a text to the clipboard. */
void page_copy(const char *text);
/* Asks the reader for a file, as if it were dropped on the page. */
void page_choose_file(void);
/* Opens the line for web_calculate(). */
void page_calculate(void);

#endif
