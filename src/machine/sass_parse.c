/* sass_parse: reads the text of `nvdisasm -gi -c`. See sass.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "machine/sass.h"

#define INSTRUCTIONS_MOST 400000

/* A label, or one that an operand waits for. */
struct label {
	char *name;
	uint32_t at;		/* instruction */
	uint32_t operand;
};

struct label_list {
	struct label *list;
	size_t count, capacity;
};

struct sass_reader {
	struct sass *s;
	const char *wanted;	/* the entry, or NULL */
	bool in_code, found;
	uint32_t number;	/* of the line, from 1 */
	size_t capacity;
	uint32_t place, place_count;	/* in force */
	bool place_ended;	/* an instruction has used them */
	struct label_list labels, waiting;
};

static void label_add(struct label_list *l, char *name, uint32_t at,
		      uint32_t operand)
{
	grow(&l->list, &l->capacity, l->count + 1, sizeof(*l->list));
	l->list[l->count++] = (struct label){ name, at, operand };
}

static void labels_done(struct label_list *l)
{
	while (l->count)
		free(l->list[--l->count].name);
	free(l->list);
}

/* ---- lines ---- */

/* Returns a file's name without folder, as the tree keeps it. */
static const char *keep_file(struct sass *s, const char *name, size_t n)
{
	for (size_t i = n; i > 0; i--)
		if (name[i - 1] == '/') {
			name += i;
			n -= i;
			break;
		}
	for (size_t i = 0; i < s->file_count; i++)
		if (strlen(s->files[i]) == n && !memcmp(s->files[i], name, n))
			return s->files[i];
	grow(&s->files, &s->file_capacity, s->file_count + 1,
	     sizeof(*s->files));
	return s->files[s->file_count++] = xstrndup(name, n);
}

/* Reads "//## File "x.cu", line 3 inlined at ...": one line for each call that
 * was inlined, then the outermost. */
static void read_source_place(struct sass_reader *p, const char *line)
{
	static const char word[] = "File \"";
	const char *name = strstr(line, word), *end;
	struct sass *s = p->s;

	name += name ? strlen(word) : 0;
	end = name ? strchr(name, '"') : NULL;
	if (!end || strncmp(end, "\", line ", 8) != 0)
		return;
	if (p->place_ended) {
		p->place = (uint32_t)s->place_count;
		p->place_count = 0;
		p->place_ended = false;
	}
	grow(&s->places, &s->place_capacity, s->place_count + 1,
	     sizeof(*s->places));
	s->places[s->place_count++] = (struct sass_place){
		keep_file(s, name, (size_t)(end - name)),
		(uint32_t)strtoul(end + 8, NULL, 10),
	};
	p->place_count++;
}

/* ---- instructions ---- */

static int parse_failed(const struct sass_reader *p, const char *what,
			struct error *e)
{
	return error_set(e, EXIT_INPUT, "line %u of the disassembly: %s",
			 p->number, _(what));
}

/* Reads the guard "@!P0", if there is one; returns what follows. */
static const char *read_guard(struct sass_instruction *i, const char *s)
{
	struct sass_operand o;
	char *none = NULL;
	size_t n;

	i->guard = SASS_PT;
	s += strspn(s, " \t");
	if (*s != '@')
		return s;
	n = strcspn(s, " \t");
	if (sass_operand_read(&o, s + 1, n - 1, &none) < 0 ||
	    o.kind != SASS_PREDICATE) {
		free(none);
		return NULL;
	}
	i->guard = o.reg;
	i->guard_inverted = o.inverted;
	return s + n + strspn(s + n, " \t");
}

/* Reads "LDS.U.128". */
static int read_mnemonic(struct sass_instruction *i, const char *s, size_t n)
{
	size_t at = 0;

	for (bool first = true; at < n; first = false) {
		size_t length = 0;
		char *to;

		while (at + length < n && s[at + length] != '.')
			length++;
		if (length == 0 || length >= SASS_WORD ||
		    i->modifier_count == SASS_MODIFIERS)
			return -1;
		to = first ? i->opcode : i->modifiers[i->modifier_count++];
		memcpy(to, s + at, length);
		to[length] = '\0';
		at += length + 1;
	}
	return isupper((unsigned char)*i->opcode) ? 0 : -1;
}

/* Tests for what stands between operands: a comma outside brackets, and what is
 * before the label of RET. */
static bool is_between(const char *s, size_t at, int depth)
{
	return !depth && (s[at] == ',' || (s[at] == ' ' && s[at + 1] == '`'));
}

/* Reads the operands. */
static int read_operands(struct sass_reader *p, struct sass_instruction *i,
			 const char *s, size_t n)
{
	size_t at = 0;

	while (at < n) {
		size_t start = at, end;
		char *label = NULL;
		int depth = 0;

		for (; at < n && !is_between(s, at, depth); at++)
			depth += (s[at] == '[' || s[at] == '(') -
				 (s[at] == ']' || s[at] == ')');
		end = at++;
		while (start < end && isspace((unsigned char)s[start]))
			start++;
		while (end > start && isspace((unsigned char)s[end - 1]))
			end--;
		if (start == end)
			continue;
		if (i->operand_count == SASS_OPERANDS ||
		    sass_operand_read(&i->operands[i->operand_count], s + start,
				      end - start, &label) < 0) {
			free(label);
			return -1;
		}
		if (label)
			label_add(&p->waiting, label, p->s->count,
				  i->operand_count);
		i->operand_count++;
	}
	return 0;
}

/* Reads an instruction from behind its address on. */
static int read_instruction(struct sass_reader *p, uint32_t address, const char *s,
			    struct error *e)
{
	struct sass *to = p->s;
	struct sass_instruction i = { .address = address };
	const char *note, *end = strrchr(s, ';');
	size_t name;

	if (to->count == INSTRUCTIONS_MOST)
		return parse_failed(p, N_("too many instructions"), e);
	s = read_guard(&i, s);
	if (!s || !end || end < s)
		return parse_failed(p, N_("expected an instruction"), e);
	note = strstr(s, "(*\"");
	i.spill = note && !strncmp(note, "(*\"SpillRefill", 14);
	end = note && note < end ? note : end;
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	i.text = xstrndup(s, (size_t)(end - s));
	name = MIN(strcspn(s, " \t;"), (size_t)(end - s));
	if (read_mnemonic(&i, s, name) < 0 ||
	    read_operands(p, &i, s + name, (size_t)(end - s) - name) < 0) {
		free(i.text);
		return parse_failed(p, N_("an operand is not known"), e);
	}
	i.place = p->place;
	i.place_count = p->place_count;
	p->place_ended = true;
	grow(&to->code, &p->capacity, to->count + 1, sizeof(*to->code));
	to->code[to->count++] = i;
	return 0;
}

/* ---- lines of the text ---- */

/* Reads "name:", a label; begins or ends the kernel's code. */
static void read_label_line(struct sass_reader *p, const char *line, size_t n)
{
	static const char section[] = ".text.";
	size_t skip = strlen(section);

	if (strncmp(line, section, skip) != 0) {
		if (p->in_code)
			label_add(&p->labels, xstrndup(line, n), p->s->count,
				  0);
		return;
	}
	p->in_code = !p->found &&
		     (!p->wanted || (strlen(p->wanted) == n - skip &&
				     !memcmp(p->wanted, line + skip,
					     n - skip)));
	if (!p->in_code)
		return;
	p->found = true;
	p->s->entry = xstrndup(line + skip, n - skip);
	label_add(&p->labels, xstrdup(p->s->entry), 0, 0);
}

static int read_line(struct sass_reader *p, const char *line, struct error *e)
{
	const char *s = line + strspn(line, " \t");
	size_t n = strcspn(line, ":");

	if (!strncmp(s, ".target", 7)) {
		const char *sm = strstr(s, "sm_");

		p->s->arch = sm ? (uint32_t)strtoul(sm + 3, NULL, 10) : 0;
	} else if (!strncmp(s, ".section", 8)) {
		p->in_code = false;
	} else if (s == line && line[n] == ':' && n > 0) {
		read_label_line(p, line, n);
	} else if (!p->in_code) {
		return 0;
	} else if (!strncmp(s, "//##", 4)) {
		read_source_place(p, s);
	} else if (!strncmp(s, "/*", 2)) {
		char *end;
		uint32_t address = (uint32_t)strtoul(s + 2, &end, 16);

		/* What has no instruction behind it is its encoding. */
		if (!strncmp(end, "*/", 2) && end - s >= 6 && strchr(s, ';'))
			return read_instruction(p, address, end + 2, e);
	}
	return 0;
}

static int label_order(const void *a, const void *b)
{
	return strcmp(((const struct label *)a)->name,
		      ((const struct label *)b)->name);
}

/* Sets where branches lead. */
static void find_labels(struct sass_reader *p)
{
	struct label_list *l = &p->labels;

	if (l->count)
		qsort(l->list, l->count, sizeof(*l->list), label_order);
	for (size_t w = 0; w < p->waiting.count; w++) {
		const struct label *of = &p->waiting.list[w];
		const struct label *to = l->count ?
			bsearch(of, l->list, l->count, sizeof(*of),
				label_order) : NULL;

		if (to)
			p->s->code[of->at].operands[of->operand].offset =
				to->at;
	}
}

/* Counts the loops that each instruction is in: a branch back is one. A branch
 * to itself fills the space behind the code. */
static void find_loops(struct sass *s)
{
	uint32_t inside = 0;

	for (uint32_t at = 0; at < s->count; at++) {
		const struct sass_instruction *i = &s->code[at];
		int64_t to = i->operand_count ?
			     i->operands[i->operand_count - 1].offset : -1;

		if (strcmp(i->opcode, "BRA") != 0 || to < 0 || to >= at)
			continue;
		s->code[to].loops++;
		s->code[at + 1 < s->count ? at + 1 : at].loops--;
	}
	for (uint32_t at = 0; at < s->count; at++)
		s->code[at].loops = inside += s->code[at].loops;
}

struct sass *sass_parse(const char *text, const char *entry, struct error *e)
{
	struct sass_reader p = { .wanted = entry, .place_ended = true };
	int rc = 0;

	p.s = xcalloc(1, sizeof(*p.s));
	while (*text && rc == 0) {
		size_t n = strcspn(text, "\n");
		char *line = xstrndup(text, n);

		p.number++;
		rc = read_line(&p, line, e);
		free(line);
		text += n + (text[n] == '\n');
	}
	if (rc == 0 && !p.found)
		rc = error_set(e, EXIT_USAGE, "there is no kernel %s in it",
			       entry ? text_show(entry) : "");
	if (rc == 0) {
		find_labels(&p);
		find_loops(p.s);
	}
	labels_done(&p.labels);
	labels_done(&p.waiting);
	if (rc == 0)
		return p.s;
	sass_free(p.s);
	return NULL;
}

void sass_free(struct sass *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->count; i++)
		free(s->code[i].text);
	for (size_t i = 0; i < s->file_count; i++)
		free(s->files[i]);
	free(s->files);
	free(s->places);
	free(s->code);
	free(s->entry);
	free(s);
}

bool sass_has(const struct sass_instruction *i, const char *modifier)
{
	for (uint32_t m = 0; m < i->modifier_count; m++)
		if (!strcmp(i->modifiers[m], modifier))
			return true;
	return false;
}

bool sass_is_atomic(const struct sass_instruction *i)
{
	return !strncmp(i->opcode, "ATOM", 4) || !strncmp(i->opcode, "RED", 3);
}

char *sass_name(const struct sass_instruction *i)
{
	struct str s = { 0 };

	str_add(&s, i->opcode);
	for (uint32_t m = 0; m < i->modifier_count; m++)
		str_addf(&s, ".%s", i->modifiers[m]);
	return str_take(&s);
}

uint32_t sass_bytes(const struct sass_instruction *i)
{
	static const struct { const char *word; uint32_t bytes; } widths[] = {
		{ "128", 16 }, { "64", 8 }, { "U16", 2 }, { "S16", 2 },
		{ "U8", 1 }, { "S8", 1 },
	};

	for (size_t w = 0; w < LENGTH(widths); w++)
		if (sass_has(i, widths[w].word))
			return widths[w].bytes;
	return 4;
}

uint32_t sass_line(const struct sass *s, const struct sass_instruction *i,
		   const char *file)
{
	for (uint32_t n = i->place_count; n-- > 0;)
		if (!*file || !strcmp(s->places[i->place + n].file, file))
			return s->places[i->place + n].line;
	return 0;
}

bool sass_is_of(const struct sass *s, const struct sass_instruction *i,
		const char *file, uint32_t line)
{
	for (uint32_t n = 0; n < i->place_count; n++)
		if (s->places[i->place + n].line == line &&
		    !strcmp(s->places[i->place + n].file, file))
			return true;
	return false;
}
