#include "app/mode.h"

#include <string.h>

#include "base/lang.h"
#include "base/text.h"

/* The first that is on has the keys; the last one always is. */
#define MODES(X) \
	X(search) \
	X(goto) \
	X(file) \
	X(topic) \
	X(overlay) \
	X(benchmark) \
	X(drill) \
	X(practice) \
	X(room) \
	X(list) \
	X(learned) \
	X(answer) \
	X(picture) \
	X(step)

#define DECLARATION(name) extern const struct mode mode_##name;
#define ADDRESS(name) &mode_##name,

MODES(DECLARATION)
const struct mode *const modes[] = { MODES(ADDRESS) };
const size_t mode_count = LENGTH(modes);

static bool is_possible(const struct action *a, const struct reader *r)
{
	return !a->has || a->has(r);
}

static bool has_key(const struct action *a, uint32_t key)
{
	for (size_t i = 0; i < LENGTH(a->keys); i++)
		if (a->keys[i] && a->keys[i] == key)
			return true;
	return false;
}

static bool take_key(const struct mode *m, struct reader *r, uint32_t key)
{
	for (size_t i = 0; i < m->action_count; i++) {
		const struct action *a = &m->actions[i];

		if (has_key(a, key) && is_possible(a, r)) {
			a->run(r, a->arg);
			return true;
		}
	}
	return m->rest && m->rest(r, key);
}

static const struct mode *mode_now(const struct reader *r)
{
	size_t i = 0;

	while (!modes[i]->on(r))
		i++;
	return modes[i];
}

static void press(struct reader *r, uint32_t key)
{
	const struct mode *m = mode_now(r);

	if (r->options.also && !m->over && take_key(r->options.also, r, key))
		return;
	for (; m; m = m->below)
		if (take_key(m, r, key))
			return;
}

/* Returns what a key stands for; later settings override earlier ones. */
static uint32_t map_key(const struct reader *r, uint32_t key)
{
	for (size_t i = r->options.key_count; i > 0; i--)
		if (r->options.keys[i - 1].from == key)
			return r->options.keys[i - 1].to;
	return key;
}

void mode_key(struct reader *r, uint32_t key)
{
	const struct mode *m = mode_now(r);
	bool twice = key == r->letter && r->show.lesson.answered;

	if (twice && !m->over)
		return;
	r->letter = 0;
	if (!m->typing || key >= KEY_BASE || !m->rest(r, key))
		press(r, map_key(r, key));
}

void mode_mouse(struct reader *r, const struct event *ev)
{
	struct hit hit;
	size_t i = 0;

	frame_hit(&r->show, r->w, r->h, ev->x, ev->y, &hit);
	if (hit.kind == HIT_KEY) {
		if (ev->mouse == MOUSE_PRESS)
			press(r, hit.press);
		return;
	}
	while (!modes[i]->on(r) || !modes[i]->mouse)
		i++;
	modes[i]->mouse(r, ev);
}

/* Tells whether the footer has a key already. */
static bool is_in_footer(const struct reader *r, const char *key)
{
	for (size_t i = 0; i < r->show.key_count; i++)
		if (!strcmp(r->footer[i].key, key))
			return true;
	return false;
}

static void add_footer(struct reader *r, const struct mode *m)
{
	for (size_t i = 0; i < m->action_count; i++) {
		const struct action *a = &m->actions[i];

		const char *key = a->key_now ? a->key_now(r) : a->key;

		if (!a->word || !is_possible(a, r) || is_in_footer(r, key) ||
		    r->show.key_count == LENGTH(r->footer))
			continue;
		r->footer[r->show.key_count++] = (struct show_key){
			.key = key,
			.word = a->word_now ? a->word_now(r) : a->word,
			.press = { a->keys[0], i + 1 < m->action_count &&
				   !a[1].key ? a[1].keys[0] : 0 } };
	}
}

/* Adds the keys of the picture on the screen. */
static void add_picture_keys(struct reader *r)
{
	const struct view *v = view_picture(&r->show);

	for (size_t i = 0; i < v->key_count; i++) {
		const struct view_key *k = &v->keys[i];

		if (k->word && (!k->has || k->has(r->show.scene)) &&
		    r->show.key_count < LENGTH(r->footer))
			r->footer[r->show.key_count++] =
				(struct show_key){ .key = k->key,
						   .word = k->word,
						   .press = { k->keys[0] } };
		if (k->help && r->show.help_count < LENGTH(r->help))
			r->help[r->show.help_count++] =
				(struct show_key){ .key = k->key,
						   .word = k->help };
	}
}

static void add_help(struct reader *r, const struct mode *m)
{
	for (size_t i = 0; i < m->action_count; i++) {
		const struct action *a = &m->actions[i];

		if (a->help && is_possible(a, r) &&
		    r->show.help_count < LENGTH(r->help))
			r->help[r->show.help_count++] =
				(struct show_key){ .key = a->key,
						   .word = a->help };
	}
}

bool mode_type_key(char *text, size_t size, uint32_t key)
{
	size_t n = strlen(text);

	if (key < ' ' || key >= KEY_BASE || key == 127 || n + 4 >= size)
		return false;
	text[n + text_encode(key, text + n)] = '\0';
	return true;
}

bool mode_erase_character(char *text)
{
	size_t n = strlen(text);

	if (!n)
		return false;
	while (n > 1 && (text[n - 1] & 0xc0) == 0x80)
		n--;
	text[n - 1] = '\0';
	return true;
}

void mode_show(struct reader *r)
{
	size_t i = 0, top = 0;

	while (!modes[top]->on(r))
		top++;
	while (!modes[i]->on(r) || modes[i]->over)
		i++;
	r->show.keys = r->footer;
	r->show.help_keys = r->help;
	r->show.key_count = r->show.help_count = 0;
	if (modes[i] == &mode_picture) {
		add_picture_keys(r);
		i++;
	}
	if (r->show.over) {	/* its keys alone do something */
		r->show.key_count = 0;
		add_footer(r, modes[top]);
	} else {
		add_footer(r, modes[i]);
		if (r->options.also)
			add_footer(r, r->options.also);
		add_footer(r, &mode_common);
	}
	add_help(r, modes[i]->help ? modes[i]->help : modes[i]);
	if (r->options.also)
		add_help(r, r->options.also);
	add_help(r, &mode_common);
}
