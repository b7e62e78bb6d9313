/*
 * ptx: a module gone through once, function by function. See ptx.h.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/ptx/ptx_job.h"

/* What a struct ptx keeps of the text: the names that it points to. */
struct own {
	struct map names;
	char **paths;
	size_t path_count, path_capacity;
};

/* ---- the text, copied ---- */

static size_t start_of(const struct ptx_text *t, const struct ptx_statement *s)
{
	return t->tokens[s->first].at;
}

static size_t end_of(const struct ptx_text *t, const struct ptx_statement *s)
{
	return t->tokens[s->last].at + t->tokens[s->last].length;
}

static void copy_to(struct ptx_job *j, size_t at)
{
	str_addn(&j->out, j->t->text + j->copied, at - j->copied);
	j->copied = at;
}

static void leave_out(struct ptx_job *j, const struct ptx_statement *s)
{
	copy_to(j, start_of(j->t, s));
	j->copied = end_of(j->t, s);
}

/* Not wanted in what is loaded: debug sections, what refers to them, and a
 * hint that must stand right before its instruction. */
static bool unwanted(const struct ptx_text *t, const struct ptx_statement *s)
{
	const struct ptx_token *k = &t->tokens[s->first + 1];

	switch (s->kind) {
	case PTX_FILE:
	case PTX_SECTION:
	case PTX_LOC:
		return true;
	case PTX_DIRECTIVE:
		return ptx_is(t, s->first, ".pragma") && k->kind == '"' &&
		       k->length > 17 &&
		       memcmp(t->text + k->at, "\"used_bytes_mask", 16) == 0;
	default:
		return false;
	}
}

/* ---- .version and .target ---- */

struct head {
	const struct ptx_text *t;
	const struct ptx_statement *version, *target;
	bool wide;			/* .address_size 64 */
};

static int head_find(struct head *h, const struct ptx_text *t)
{
	*h = (struct head) { .t = t };
	for (size_t i = 0; i < t->statement_count; i++) {
		const struct ptx_statement *s = &t->statements[i];

		if (s->kind != PTX_HEAD)
			continue;
		if (ptx_is(t, s->first, ".version"))
			h->version = s;
		else if (ptx_is(t, s->first, ".target"))
			h->target = s;
		else
			h->wide = ptx_is(t, s->last, "64");
	}
	if (!h->version || !h->target)
		return ptx_text_fail(t, 0, EXIT_INPUT,
				     "no .version and .target");
	return 0;
}

/* 9.0 as 9000, sm_90a as 90: the first number in the word, and what is
 * behind its dot. */
static unsigned long ordinal(const struct ptx_text *t, uint32_t token)
{
	const struct ptx_token *k = &t->tokens[token];
	char *word = xstrndup(t->text + k->at, MIN(k->length, 20)), *end;
	unsigned long major, minor = 0;

	major = strtoul(word + strcspn(word, "0123456789"), &end, 10);
	if (*end == '.')
		minor = strtoul(end + 1, NULL, 10);
	free(word);
	return MIN(major, 1000000ul) * 1000 + MIN(minor, 999ul);
}

/* The statement with the greater number at its second word. */
static void greater(struct str *out, const struct head *a,
		    const struct ptx_statement *sa, const struct head *b,
		    const struct ptx_statement *sb)
{
	const struct head *h = a;
	const struct ptx_token *k;

	if (b && ordinal(b->t, sb->first + 1) > ordinal(a->t, sa->first + 1)) {
		h = b;
		sa = sb;
	}
	for (uint32_t i = sa->first; i <= sa->last; i++) {
		k = &h->t->tokens[i];
		if (k->kind == ',' && ptx_is(h->t, i + 1, "debug"))
			i++;
		else
			str_addf(out, "%s%.*s", i == sa->first + 1 ? " " : "",
				 (int)k->length, h->t->text + k->at);
	}
	str_addc(out, '\n');
}

/* recorder may be NULL. */
static void head_write(struct ptx_job *j, const struct head *h,
		       const struct head *recorder)
{
	str_add(&j->out, "//\n");
	greater(&j->out, h, h->version, recorder,
		recorder ? recorder->version : NULL);
	greater(&j->out, h, h->target, recorder,
		recorder ? recorder->target : NULL);
	str_addf(&j->out, ".address_size %d\n", h->wide ? 64 : 32);
}

/* The text without head, debug sections and lines. */
static void body_copy(struct ptx_job *j)
{
	const struct ptx_text *t = j->t;

	for (size_t i = 0; i < t->statement_count; i++)
		if (t->statements[i].kind == PTX_HEAD ||
		    unwanted(t, &t->statements[i]))
			leave_out(j, &t->statements[i]);
	copy_to(j, t->length);
	str_addc(&j->out, '\n');
}

/* ---- variables and functions ---- */

static void symbol_add(struct ptx_job *j, uint32_t name,
		       const struct ptx_symbol *symbol)
{
	struct ptx *p = j->p;

	grow(&p->symbols, &j->symbol_capacity, p->symbol_count + 1,
	     sizeof(*p->symbols));
	p->symbols[p->symbol_count] = *symbol;
	p->symbols[p->symbol_count].name = j->t->names[name].text;
	j->t->names[name].symbol = p->symbol_count++;
}

static void depot_set(struct ptx_job *j, uint32_t name,
		      const struct ptx_symbol *s)
{
	struct ptx_function *f = &j->p->functions[j->function];
	const char *text = j->t->names[name].text;

	if (strncmp(text, "__local_depot", 13) != 0 ||
	    strlen(text) >= sizeof(f->depot))
		return;
	strcpy(f->depot, text);
	f->depot_bytes = MIN(s->bytes, UINT32_MAX);
}

/* NAME[N][N]: bytes of that many; i goes to its last token. */
static uint64_t extent(const struct ptx_text *t, uint32_t *i, uint32_t last,
		       uint64_t bytes)
{
	uint64_t number;

	while (*i < last && t->tokens[*i + 1].kind == '[') {
		if (!ptx_number(t, *i + 2, &number) ||
		    __builtin_mul_overflow(bytes, number, &bytes))
			bytes = 0;
		*i = ptx_closing(t, *i + 1, last);
	}
	return bytes;
}

/* .shared .align 4 .v4 .f32 NAME[N] = {...}, NAME; */
static void variables(struct ptx_job *j, const struct ptx_statement *s)
{
	const struct ptx_text *t = j->t;
	struct ptx_symbol symbol = { .function = j->function };
	uint64_t number, unit = 0, vector = 1;
	bool local = false;

	for (uint32_t i = s->first; i < s->last; i++) {
		const struct ptx_token *k = &t->tokens[i];
		struct ptx_part type = { t->text + k->at + 1, k->length - 1 };

		if (ptx_is(t, i, ".shared")) {
			symbol.space = PTX_SHARED;
		} else if (ptx_is(t, i, ".global")) {
			symbol.space = PTX_GLOBAL;
		} else if (ptx_is(t, i, ".local")) {
			local = true;
		} else if (ptx_is(t, i, ".align")) {
			if (ptx_number(t, ++i, &number))
				symbol.align = MIN(number, UINT32_MAX);
		} else if (ptx_is(t, i, ".v2") || ptx_is(t, i, ".v4")) {
			vector = t->text[k->at + 2] - '0';
		} else if (ptx_starts(t, i, ".")) {
			if (ptx_type_bytes(type) > 0)
				unit = ptx_type_bytes(type);
		} else if (k->kind == '(' || k->kind == '{') {
			i = ptx_closing(t, i, s->last);
		} else if (k->name != PTX_NONE) {
			symbol.bytes = extent(t, &i, s->last, unit * vector);
			if (!symbol.align)
				symbol.align = MAX(unit * vector, 1u);
			if (symbol.space != PTX_GENERIC)
				symbol_add(j, k->name, &symbol);
			else if (local && j->function != UINT32_MAX)
				depot_set(j, k->name, &symbol);
			while (i + 1 < s->last && t->tokens[i + 1].kind != ',')
				i = ptx_closing(t, i + 1, s->last);
		}
	}
}

static uint32_t parameters(struct ptx_job *j, uint32_t open, uint32_t last)
{
	const struct ptx_text *t = j->t;
	uint32_t close = ptx_closing(t, open, last), index = 0;

	for (uint32_t i = open + 1; i < close; i++) {
		const struct ptx_token *k = &t->tokens[i];

		if (k->kind == ',') {
			index++;
		} else if (k->kind == '[') {
			i = ptx_closing(t, i, close);
		} else if (k->name != PTX_NONE && !ptx_starts(t, i, ".")) {
			t->names[k->name].param_function = j->function;
			t->names[k->name].param = index;
		}
	}
	return close;
}

/* The token of the function's name: behind .entry, or .func and what it
 * returns. */
static uint32_t function_name(const struct ptx_text *t,
			      const struct ptx_statement *s, bool *entry)
{
	uint32_t i = s->first;

	*entry = false;
	while (i < s->last && !ptx_is(t, i, ".func") && !*entry)
		*entry = ptx_is(t, i++, ".entry");
	while (i < s->last && (ptx_starts(t, i, ".") ||
			       t->tokens[i].kind != 'w')) {
		if (t->tokens[i].kind == '(')
			i = ptx_closing(t, i, s->last);
		i++;
	}
	return i;
}

static int function_add(struct ptx_job *j, const struct ptx_statement *s)
{
	struct ptx *p = j->p;
	bool entry;
	uint32_t i = function_name(j->t, s, &entry);
	uint32_t name = j->t->tokens[i].name;

	if (name == PTX_NONE)
		return ptx_text_fail(j->t, i, EXIT_INPUT,
				     "not the name of a function");
	grow(&p->functions, &j->function_capacity, p->function_count + 1,
	     sizeof(*p->functions));
	p->functions[p->function_count] = (struct ptx_function) {
		.name = j->t->names[name].text, .entry = entry };
	j->t->names[name].function = j->function = p->function_count++;
	if (entry && i < s->last && j->t->tokens[i + 1].kind == '(')
		parameters(j, i + 1, s->last);
	return 0;
}

static void file_add(struct ptx_job *j, struct own *own,
		     const struct ptx_statement *s)
{
	const struct ptx_token *path = &j->t->tokens[s->first + 2];
	struct ptx *p = j->p;
	uint64_t index;

	if (!ptx_number(j->t, s->first + 1, &index) || path->length < 2)
		return;
	grow(&own->paths, &own->path_capacity, own->path_count + 1,
	     sizeof(*own->paths));
	grow(&p->files, &j->file_capacity, p->file_count + 1,
	     sizeof(*p->files));
	own->paths[own->path_count] = xstrndup(j->t->text + path->at + 1,
					       path->length - 2);
	p->files[p->file_count++] = (struct ptx_file) {
		.index = index, .path = own->paths[own->path_count++] };
}

/* Everything that has a name, before the first use of one. */
static int declarations(struct ptx_job *j, struct own *own)
{
	const struct ptx_text *t = j->t;
	size_t depth = 0;

	j->function = UINT32_MAX;
	for (size_t i = 0; i < t->statement_count; i++) {
		const struct ptx_statement *s = &t->statements[i];

		depth += s->kind == PTX_OPEN;
		if (s->kind == PTX_CLOSE && --depth == 0)
			j->function = UINT32_MAX;
		if (s->kind == PTX_FUNCTION && function_add(j, s) < 0)
			return -1;
		if (s->kind == PTX_DECLARE)
			variables(j, s);
		if (s->kind == PTX_FILE)
			file_add(j, own, s);
	}
	for (uint32_t i = 0; i + 1 < t->token_count; i++)
		if (ptx_starts(t, i, "gemmviz_") ||
		    ptx_starts(t, i, "%gemmviz_"))
			return ptx_text_fail(t, i, EXIT_INPUT,
					     "this name is the recorder's");
	return 0;
}

/* ---- lines ---- */

static uint64_t place_key(const struct ptx_place *p)
{
	return (uint64_t)p->file << 52 ^ (uint64_t)p->line << 20 ^ p->column;
}

static bool place_parse(const struct ptx_text *t, uint32_t first,
			struct ptx_place *p)
{
	uint64_t n[3];

	for (int i = 0; i < 3; i++)
		if (!ptx_number(t, first + i, &n[i]))
			return false;
	*p = (struct ptx_place) { n[0], n[1], n[2] };
	return true;
}

/* What was inlined belongs to the line of the outermost call: the places
 * between come before, each with its own `inlined_at`. With -G there is none;
 * but what is inlined from a header is of another file than the function that
 * it is in. */
static void line_set(struct ptx_job *j, const struct ptx_statement *s)
{
	struct ptx_place own, outer;
	uint64_t key;
	uint32_t known;

	if (!place_parse(j->t, s->first + 1, &own))
		return;
	outer = own;
	if (s->last > s->first + 3 && place_parse(j->t, s->last - 2, &outer)) {
		key = place_key(&outer);
		known = map_find(&j->inlined, &key, sizeof(key));
		if (known != MAP_NONE)
			outer = j->outer[known];
	}
	if (!outer.line)	/* the compiler's own: the line stays */
		return;
	if (!j->file)
		j->file = outer.file;
	if (outer.file != j->file)
		return;
	key = place_key(&own);
	known = map_add(&j->inlined, &key, sizeof(key));
	grow(&j->outer, &j->outer_capacity, j->inlined.count,
	     sizeof(*j->outer));
	j->outer[known] = j->place = outer;
}

/* ---- calls ---- */

static bool is_call(const struct ptx_text *t, const struct ptx_statement *s,
		    const char *opcode)
{
	struct ptx_instruction in;

	return s->kind == PTX_INSTRUCTION && ptx_instruction(t, s, &in) &&
	       ptx_opcode(&in, opcode);
}

static bool on_param(const struct ptx_text *t, const struct ptx_statement *s,
		     const char *opcode)
{
	struct ptx_instruction in;

	return s->kind == PTX_INSTRUCTION && ptx_instruction(t, s, &in) &&
	       ptx_opcode(&in, opcode) && ptx_on_param(&in);
}

/* A label that nothing jumps to is a place for the debugger only. */
static bool is_target(const struct ptx_job *j, const struct ptx_statement *s)
{
	uint32_t name = j->t->tokens[s->first].name;

	return name != PTX_NONE &&
	       j->t->names[name].target_function == j->function;
}

/*
 * Nothing may be called between the stores of a call's parameters and the
 * loads of its results: the events go around all of them, and the braces.
 */
static void call_bounds(struct ptx_job *j, uint32_t call, uint32_t head,
			uint32_t end)
{
	const struct ptx_text *t = j->t;
	const struct ptx_statement *all = t->statements;
	uint32_t first = call, last = call;
	int open = 0;

	for (; first > head + 2; first--) {
		const struct ptx_statement *s = &all[first - 1];

		if (s->kind != PTX_DECLARE && s->kind != PTX_OPEN &&
		    s->kind != PTX_LOC && !on_param(t, s, "st") &&
		    !(s->kind == PTX_LABELLED && !is_target(j, s)))
			break;
		open += s->kind == PTX_OPEN;
	}
	for (; last + 1 < end; last++) {
		const struct ptx_statement *s = &all[last + 1];

		if (s->kind == PTX_CLOSE && open-- > 0)
			continue;
		if (!on_param(t, s, "ld") && s->kind != PTX_LOC)
			break;
	}
	j->call_before[first] = j->call_after[last] = call + 1;
}

static void call_record(struct ptx_job *j, uint32_t call,
			enum ptx_event event)
{
	const struct ptx_text *t = j->t;
	const struct ptx_statement *s = &t->statements[call];
	struct ptx_instruction in;
	uint32_t name = PTX_NONE, site;

	ptx_instruction(t, s, &in);
	for (size_t i = 0; i < in.operand_count && name == PTX_NONE; i++)
		name = t->tokens[in.operands[i].first].name;
	site = ptx_site(j, event, PTX_GENERIC, 0, NULL);
	if (name != PTX_NONE)
		j->p->sites[site].called = t->names[name].function;
	ptx_mark(j, site, &in);
}

/* ---- a function ---- */

/* Labels that are jumped to, and the bounds of calls. */
static void targets(struct ptx_job *j, uint32_t head, uint32_t end)
{
	const struct ptx_text *t = j->t;

	for (uint32_t i = head + 1; i < end; i++) {
		const struct ptx_statement *s = &t->statements[i];

		if (!is_call(t, s, "bra") &&
		    !(s->kind == PTX_DIRECTIVE &&
		      ptx_is(t, s->first, ".branchtargets")))
			continue;
		for (uint32_t k = s->first + 1; k < s->last; k++)
			if (t->tokens[k].name != PTX_NONE)
				t->names[t->tokens[k].name].target_function =
					j->function;
	}
	for (uint32_t i = head + 1; i < end; i++)
		if (is_call(t, &t->statements[i], "call"))
			call_bounds(j, i, head, end);
}

/* Every thread of the block comes to it: without a number of threads. */
static bool is_barrier(const struct ptx_instruction *in)
{
	size_t operands = ptx_has(in, "red") ? 3 : 1;

	return (ptx_opcode(in, "bar") || ptx_opcode(in, "barrier")) &&
	       (ptx_has(in, "sync") || ptx_has(in, "red")) &&
	       !ptx_has(in, "warp") && !ptx_has(in, "cluster") &&
	       in->operand_count <= operands;
}

static bool is_warp_barrier(const struct ptx_instruction *in)
{
	return ptx_opcode(in, "bar") && ptx_has(in, "warp") &&
	       ptx_has(in, "sync");
}

/* What came before is shown to other blocks. */
static bool is_fence(const struct ptx_instruction *in)
{
	bool block = ptx_has(in, "cta") || ptx_has(in, "cluster");

	if (ptx_opcode(in, "membar") || ptx_opcode(in, "fence"))
		return !block && !ptx_has(in, "proxy") &&
		       !ptx_has(in, "acquire");
	return (ptx_opcode(in, "st") || ptx_opcode(in, "atom") ||
		ptx_opcode(in, "red")) && !block &&
	       (ptx_has(in, "release") || ptx_has(in, "acq_rel"));
}

/* What the instruction does to memory, or all those from it on that store one
 * structure. */
static int access(struct ptx_job *j, const struct ptx_statement *s,
		  const struct ptx_instruction *in)
{
	struct ptx_instruction stores[PTX_MEMBERS];
	size_t count;

	if (s < j->stored)
		return 0;
	count = ptx_whole(j, s, stores);
	if (!count)
		return ptx_access(j, in);
	j->stored = s + count;
	return ptx_access_whole(j, stores, count);
}

static int instruction(struct ptx_job *j, const struct ptx_statement *s)
{
	struct ptx_instruction in;

	if (!ptx_instruction(j->t, s, &in))
		return ptx_text_fail(j->t, s->first, EXIT_INPUT,
				     "not an instruction");
	if (is_barrier(&in))
		ptx_mark(j, ptx_site(j, PTX_BARRIER, PTX_GENERIC, 0, NULL),
			 &in);
	if (is_fence(&in))
		ptx_mark(j, ptx_site(j, PTX_FENCE, PTX_GENERIC, 0, NULL),
			 &in);
	if (is_warp_barrier(&in) ? ptx_sync(j, &in) : access(j, s, &in))
		return -1;
	copy_to(j, end_of(j->t, s));
	if (j->after.len)
		str_addn(&j->out, j->after.data, j->after.len);
	str_clear(&j->after);
	j->order++;
	return 0;
}

/* ---- without recording ---- */

/* The space that a generic address is in, where the function shows it. */
static const char *known_space(const struct ptx_job *j,
			       const struct ptx_operand *o)
{
	struct ptx_origin from = ptx_flow_origin(&j->flow, *o);

	if (from.symbol != PTX_NONE)
		return j->p->symbols[from.symbol].space == PTX_SHARED ?
		       ".shared" : ".global";
	return from.param != PTX_NONE ? ".global" : NULL;
}

/* Behind which part of the opcode a space may stand; 0: it has one, or takes
 * none. */
static size_t space_place(const struct ptx_instruction *in)
{
	static const char *const taken[] = { "global", "shared", "local",
		"param", "const", "relaxed", "acquire", "release", "mmio" };

	if (!ptx_opcode(in, "ld") && !ptx_opcode(in, "st"))
		return 0;
	for (size_t i = 0; i < LENGTH(taken); i++)
		if (ptx_has(in, taken[i]))
			return 0;
	return in->part_count > 1 &&
	       (ptx_part_is(in->parts[1], "volatile") ||
		ptx_part_is(in->parts[1], "weak")) ? 2 : 1;
}

/*
 * Unoptimized code leaves its addresses generic, and the hardware merges no
 * phases of a generic load: where the space is known, it is said.
 */
static void specialize(struct ptx_job *j, const struct ptx_statement *s)
{
	const struct ptx_text *t = j->t;
	const struct ptx_token *base;
	struct ptx_instruction in;
	struct ptx_register reg;
	const struct ptx_operand *o;
	const char *space;
	size_t place;

	if (!ptx_instruction(t, s, &in) || in.operand_count < 2)
		return;
	place = space_place(&in);
	o = &in.operands[ptx_opcode(&in, "ld")];
	space = place ? known_space(j, o) : NULL;
	if (!space || t->tokens[o->first].kind != '[' ||
	    !ptx_registers_find(&j->r, o->first + 1, &reg) || reg.bytes != 8)
		return;
	base = &t->tokens[o->first + 1];
	copy_to(j, start_of(t, s));
	str_addf(&j->out, "{ .reg .b64 %%specific;\n"
		 "cvta.to%s.u64 %%specific, %.*s;\n", space,
		 (int)base->length, t->text + base->at);
	copy_to(j, (size_t)(in.parts[place - 1].text - t->text) +
		   in.parts[place - 1].length);
	str_add(&j->out, space);
	copy_to(j, base->at);
	str_add(&j->out, "%specific");
	j->copied = base->at + base->length;
	copy_to(j, end_of(t, s));
	str_add(&j->out, "\n}");
}

static int plain_statement(struct ptx_job *j, const struct ptx_statement *s)
{
	ptx_registers_step(&j->r, s);
	if (s->kind == PTX_INSTRUCTION)
		specialize(j, s);
	if (unwanted(j->t, s))
		leave_out(j, s);
	return 0;
}

/* What is due before the next thing that runs. */
struct due {
	bool start, label;
	uint32_t first, last;		/* the function's tokens */
};

/* Where the variables begin of which nobody else says it. */
static void start_record(struct ptx_job *j, const struct due *due)
{
	const struct ptx_text *t = j->t;
	const char *depot = j->p->functions[j->function].depot;

	if (*depot)
		ptx_begin(j, ptx_site(j, PTX_FRAME, PTX_LOCAL, 0, NULL),
			  depot);
	for (uint32_t i = due->first; i < due->last; i++) {
		struct ptx_name *n = t->tokens[i].name == PTX_NONE ? NULL :
				     &t->names[t->tokens[i].name];
		const struct ptx_symbol *s;
		uint32_t site;

		if (!n || n->symbol == PTX_NONE ||
		    n->place_function == j->function)
			continue;
		s = &j->p->symbols[n->symbol];
		if (s->space != PTX_SHARED)
			continue;
		n->place_function = j->function;
		site = ptx_site(j, PTX_PLACE, PTX_SHARED, 0, NULL);
		j->p->sites[site].symbol = s->name;
		ptx_begin(j, site, s->name);
	}
}

static void due_record(struct ptx_job *j, struct due *due,
		       const struct ptx_statement *s)
{
	copy_to(j, start_of(j->t, s));
	if (due->start)
		start_record(j, due);
	if (due->label)
		ptx_mark(j, ptx_site(j, PTX_LABEL, PTX_GENERIC, 0, NULL),
			 NULL);
	due->start = due->label = false;
}

static int statement(struct ptx_job *j, uint32_t i, struct due *due)
{
	const struct ptx_statement *s = &j->t->statements[i];

	ptx_registers_step(&j->r, s);
	ptx_returned_step(j, s);
	if (s->kind == PTX_LOC)
		line_set(j, s);
	if (s->kind == PTX_LABELLED && is_target(j, s))
		due->label = true;
	if (s->kind == PTX_INSTRUCTION || s->kind == PTX_CLOSE ||
	    j->call_before[i])
		due_record(j, due, s);
	if (j->call_before[i])
		call_record(j, j->call_before[i] - 1, PTX_CALL);
	if (s->kind == PTX_INSTRUCTION && instruction(j, s) < 0)
		return -1;
	if (unwanted(j->t, s))
		leave_out(j, s);
	if (j->call_after[i]) {
		copy_to(j, end_of(j->t, s));
		call_record(j, j->call_after[i] - 1, PTX_RETURN);
	}
	return 0;
}

/* From its head to its last brace; *i is the statement behind. */
static int function(struct ptx_job *j, uint32_t *i)
{
	const struct ptx_text *t = j->t;
	const struct ptx_statement *all = t->statements;
	uint32_t head = *i, end = head + 1;
	size_t depth = 0;
	struct due due = { .start = true };
	int result = 0;

	j->function = t->names[t->tokens[function_name(t, &all[head],
						       &(bool) { false })]
			       .name].function;
	do {
		depth += all[end].kind == PTX_OPEN;
		depth -= all[end].kind == PTX_CLOSE;
		end++;
	} while (depth);
	targets(j, head, end);
	ptx_flow_init(&j->flow, &j->r, &all[head], &all[end], j->function);
	ptx_registers_start(&j->r, &all[head]);
	j->place = (struct ptx_place) { 0 };
	j->file = 0;
	due.first = all[head].first;
	due.last = all[end - 1].last;
	for (uint32_t s = head + 1; s < end && result == 0; s++)
		result = j->plain ? plain_statement(j, &all[s]) :
				    statement(j, s, &due);
	ptx_flow_done(&j->flow);
	*i = end;
	return result;
}

static int functions(struct ptx_job *j)
{
	const struct ptx_text *t = j->t;
	uint32_t i = 0;

	j->call_before = xcalloc(t->statement_count, sizeof(uint32_t));
	j->call_after = xcalloc(t->statement_count, sizeof(uint32_t));
	while (i < t->statement_count) {
		const struct ptx_statement *s = &t->statements[i];

		if (s->kind == PTX_FUNCTION) {
			if (function(j, &i) < 0)
				return -1;
			continue;
		}
		if (s->kind == PTX_HEAD || unwanted(t, s))
			leave_out(j, s);
		if (s->kind == PTX_DECLARE && ptx_is(t, s->first, ".global")) {
			copy_to(j, start_of(t, s));
			str_add(&j->out, ".visible ");
		}
		i++;
	}
	copy_to(j, t->length);
	return 0;
}

/* ---- all of it ---- */

static int instrument(struct ptx_job *j, struct own *own,
		      struct ptx_text *recorder)
{
	struct ptx_text *t = j->t;
	struct head head, recorders;

	if (head_find(&head, t) < 0 || head_find(&recorders, recorder) < 0)
		return -1;
	if (!head.wide)
		return ptx_text_fail(t, 0, EXIT_RUNNER,
				     "only 64-bit addresses are recorded");
	if (declarations(j, own) < 0 || ptx_debug_sections(t, j->p) < 0)
		return -1;
	head_write(j, &head, &recorders);
	j->t = recorder;
	body_copy(j);
	j->t = t;
	j->copied = 0;
	return functions(j);
}

static int plain(struct ptx_job *j, struct own *own)
{
	struct head head;

	if (head_find(&head, j->t) < 0 || declarations(j, own) < 0)
		return -1;
	head_write(j, &head, NULL);
	return functions(j);
}

static void job_done(struct ptx_job *j)
{
	ptx_registers_done(&j->r);
	map_done(&j->inlined);
	free(j->outer);
	str_done(&j->out);
	str_done(&j->after);
	free(j->call_before);
	free(j->call_after);
}

/* recorder: NULL for the plain text. */
static struct ptx *plain_or_instrumented(const char *text, size_t length,
					 const char *recorder,
					 struct error *e)
{
	struct ptx *p = xcalloc(1, sizeof(*p));
	struct own *own = xcalloc(1, sizeof(*own));
	struct ptx_text t, r = { 0 };
	struct ptx_job j = { .t = &t, .p = p, .r.t = &t,
			     .plain = !recorder };
	int result;

	p->own = own;
	if (ptx_text_init(&t, text, length, e) < 0 ||
	    (recorder &&
	     ptx_text_init(&r, recorder, strlen(recorder), e) < 0))
		result = -1;
	else
		result = recorder ? instrument(&j, own, &r) : plain(&j, own);
	p->text = str_take(&j.out);
	own->names = t.names_by_text;
	t.names_by_text = (struct map) { 0 };
	job_done(&j);
	ptx_text_done(&t);
	ptx_text_done(&r);
	if (result == 0)
		return p;
	ptx_free(p);
	return NULL;
}

struct ptx *ptx_instrument(const char *text, size_t length,
			   const char *recorder, struct error *e)
{
	return plain_or_instrumented(text, length, recorder, e);
}

char *ptx_plain(const char *text, size_t length, struct error *e)
{
	struct ptx *p = plain_or_instrumented(text, length, NULL, e);
	char *plain = p ? p->text : NULL;

	if (p)
		p->text = NULL;
	ptx_free(p);
	return plain;
}

void ptx_free(struct ptx *p)
{
	struct own *own = p ? p->own : NULL;

	if (!p)
		return;
	for (size_t i = 0; i < own->path_count; i++)
		free(own->paths[i]);
	for (size_t i = 0; i < p->section_count; i++) {
		free(p->sections[i].bytes);
		free(p->sections[i].references);
	}
	map_done(&own->names);
	free(own->paths);
	free(own);
	free(p->text);
	free(p->sites);
	free(p->symbols);
	free(p->functions);
	free(p->files);
	free(p->sections);
	free(p);
}
