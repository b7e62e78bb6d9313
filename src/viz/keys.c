/* keys: decodes the bytes that terminals send. */
#include "viz/keys.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/text.h"

#define ESC 0x1b
#define SEQUENCE_MAX 64		/* longer ones are noise */

/* What a decoding step found at the beginning of the data. */
enum found { INCOMPLETE, NOTHING, EVENT };

void keys_learn(struct keys *k, const char *bytes, uint32_t key)
{
	size_t n = bytes ? strlen(bytes) : 0;

	if (n < 2 || n >= sizeof(k->known[0].bytes) ||
	    k->known_count == LENGTH(k->known))
		return;
	memcpy(k->known[k->known_count].bytes, bytes, n + 1);
	k->known[k->known_count++].key = key;
}

void *keys_room(struct keys *k, size_t *n)
{
	*n = sizeof(k->data) - k->len;
	return k->data + k->len;
}

void keys_got(struct keys *k, size_t n)
{
	k->len += n;
}

static enum found set_key_event(struct event *ev, uint32_t key)
{
	*ev = (struct event){ .key = key };
	return key == K_NONE ? NOTHING : EVENT;
}

/* Finds the longest learnt sequence at the beginning of the data. */
static enum found find_learnt(const struct keys *k, size_t *used,
			      struct event *ev)
{
	enum found found = NOTHING;

	*used = 0;
	for (size_t i = 0; i < k->known_count; i++) {
		const char *bytes = k->known[i].bytes;
		size_t n = strlen(bytes);

		if (memcmp(bytes, k->data, MIN(n, k->len)))
			continue;
		if (n > k->len) {
			found = found == EVENT ? EVENT : INCOMPLETE;
		} else if (n > *used) {
			found = set_key_event(ev, k->known[i].key);
			*used = n;
		}
	}
	return found;
}

/* Returns the key of a sequence that ends in this letter. */
static uint32_t letter_key(unsigned char final)
{
	switch (final) {
	case 'A': return K_UP;
	case 'B': return K_DOWN;
	case 'C': return K_RIGHT;
	case 'D': return K_LEFT;
	case 'H': return K_HOME;
	case 'F': return K_END;
	case 'P': return K_F1;
	case 'M': return K_ENTER;
	case 'Z': return K_BACK_TAB;
	default: return K_NONE;
	}
}

/* Returns the key of a sequence with this number before a final '~'. */
static uint32_t number_key(int number)
{
	switch (number) {
	case 1: case 7: return K_HOME;
	case 3: return K_DELETE;
	case 4: case 8: return K_END;
	case 5: return K_PAGE_UP;
	case 6: return K_PAGE_DOWN;
	case 11: return K_F1;
	default: return K_NONE;
	}
}

/* Parses up to three numbers separated by ';' and returns how many there are.
 * Numbers are not read beyond 10000, which no key has. */
static int parse_numbers(const unsigned char *s, size_t n, int out[3])
{
	int count = 0;

	memset(out, 0, 3 * sizeof(*out));
	for (size_t i = 0; i < n; i++) {
		if (s[i] == ';') {
			if (++count == 3)
				return 3;
		} else if (s[i] >= '0' && s[i] <= '9' && out[count] < 10000) {
			out[count] = out[count] * 10 + s[i] - '0';
		}
	}
	return count + 1;
}

/* Makes a mouse event of the button code of xterm's ctlseqs, "Mouse Tracking".
 * x and y count from 1. */
static enum found decode_mouse(int button, int x, int y, bool release,
			       struct event *ev)
{
	enum mouse_kind kind = MOUSE_PRESS;

	if (button & 64)
		kind = button & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP;
	else if (release)
		kind = MOUSE_RELEASE;
	else if (button & 32)
		kind = MOUSE_DRAG;
	/* Wheels to the side, and buttons that have no use here. */
	if ((button & 66) == 66 || (!(button & 64) && (button & 3) &&
				    !release))
		return NOTHING;
	*ev = (struct event){ K_MOUSE, kind, MAX(x, 1) - 1,
				   MAX(y, 1) - 1 };
	return EVENT;
}

/* Decodes ESC [ parameters final. */
static enum found decode_control(const struct keys *k, size_t *used,
				 struct event *ev)
{
	const unsigned char *d = k->data;
	size_t i = 2;
	int v[3];

	while (i < k->len && d[i] >= 0x20 && d[i] < 0x40)
		i++;
	*used = i;
	if (i > SEQUENCE_MAX)
		return NOTHING;
	if (i == k->len)
		return INCOMPLETE;
	if (d[i] < 0x20 || d[i] > 0x7e)
		return NOTHING;
	*used = i + 1;
	if (d[2] == '<') {
		if (parse_numbers(d + 3, i - 3, v) < 3)
			return NOTHING;
		return decode_mouse(v[0], v[1], v[2], d[i] == 'm', ev);
	}
	if (d[i] == 'M' && i == 2) {
		if (k->len < 6)
			return INCOMPLETE;
		*used = 6;
		return decode_mouse(d[3] - 32, d[4] - 32, d[5] - 32,
				    (d[3] & 3) == 3 && !(d[3] & 64), ev);
	}
	parse_numbers(d + 2, i - 2, v);
	return set_key_event(ev,
			     d[i] == '~' ? number_key(v[0]) : letter_key(d[i]));
}

static enum found decode_escape(const struct keys *k, bool late, size_t *used,
				struct event *ev)
{
	enum found found = find_learnt(k, used, ev);
	unsigned char second = k->len >= 2 ? k->data[1] : 0;

	if (found == EVENT)
		return EVENT;
	if (found == INCOMPLETE && (!late || second == '['))
		return INCOMPLETE;
	if (second == '[')
		return decode_control(k, used, ev);
	if (second == 'O' && k->len >= 3) {
		*used = 3;
		return set_key_event(ev, letter_key(k->data[2]));
	}
	if (!late && (k->len == 1 || second == 'O'))
		return INCOMPLETE;
	*used = 1;
	return set_key_event(ev, K_ESCAPE);
}

static enum found decode_character(const struct keys *k, size_t *used,
				   struct event *ev)
{
	unsigned char head = k->data[0];
	size_t need = head >= 0xf0 ? 4 : head >= 0xe0 ? 3 : 2;
	uint32_t ch;

	*used = text_decode((const char *)k->data, k->len, &ch);
	if (*used == 1 && head >= 0xc2 && head <= 0xf4 && k->len < need) {
		for (size_t i = 1; i < k->len; i++)
			if ((k->data[i] & 0xc0) != 0x80)
				return NOTHING;
		return INCOMPLETE;
	}
	if (ch == 0xfffd || ch == 0 || (ch >= 0x80 && ch < 0xa0))
		return NOTHING;
	if (ch == '\r' || ch == '\n')
		ch = K_ENTER;
	else if (ch == '\t')
		ch = K_TAB;
	else if (ch == 0x7f || ch == '\b')
		ch = K_BACKSPACE;
	return set_key_event(ev, ch);
}

bool keys_next(struct keys *k, bool late, struct event *ev)
{
	while (k->len > 0) {
		size_t used;
		enum found found = k->data[0] == ESC ?
					   decode_escape(k, late, &used, ev) :
					   decode_character(k, &used, ev);

		if (found == INCOMPLETE)
			return false;
		k->len -= used;
		memmove(k->data, k->data + used, k->len);
		if (found == EVENT)
			return true;
	}
	return false;
}

bool keys_undecided(const struct keys *k)
{
	return k->len > 0 && k->data[0] == ESC &&
	       (k->len == 1 || k->data[1] != '[');
}

/* ---- names ---- */

static const struct { const char *name; uint32_t key; } names[] = {
	{ "up", K_UP }, { "down", K_DOWN }, { "left", K_LEFT },
	{ "right", K_RIGHT }, { "home", K_HOME }, { "end", K_END },
	{ "page-up", K_PAGE_UP }, { "page-down", K_PAGE_DOWN },
	{ "tab", K_TAB }, { "back-tab", K_BACK_TAB }, { "enter", K_ENTER },
	{ "escape", K_ESCAPE }, { "backspace", K_BACKSPACE },
	{ "delete", K_DELETE }, { "space", ' ' }, { "f1", K_F1 },
};

uint32_t keys_named(const char *name)
{
	size_t n = strlen(name);
	uint32_t cp;

	for (size_t i = 0; i < LENGTH(names); i++)
		if (!strcmp(name, names[i].name))
			return names[i].key;
	return n && text_decode(name, n, &cp) == n && cp > ' ' &&
	       cp != 0xfffd ? cp : K_NONE;
}

const char *keys_names(void)
{
	static char list[200];
	size_t n = 0;

	for (size_t i = 0; i < LENGTH(names); i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s",
				      i ? " " : "", names[i].name);
	return list;
}
