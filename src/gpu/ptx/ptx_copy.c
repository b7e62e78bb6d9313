/*
 * ptx_copy: writes the new text: the parts copied from the old one, and the
 * head. See ptx_job.h.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/ptx/ptx_job.h"

/* ---- the text, copied ---- */

/* Returns the offset of the statement's first byte in the old text. */
size_t ptx_start_of(const struct ptx_text *t, const struct ptx_statement *s)
{
	return t->tokens[s->first].at;
}

size_t ptx_end_of(const struct ptx_text *t, const struct ptx_statement *s)
{
	return t->tokens[s->last].at + t->tokens[s->last].length;
}

void ptx_copy_to(struct ptx_job *j, size_t at)
{
	str_addn(&j->out, j->t->text + j->copied, at - j->copied);
	j->copied = at;
}

void ptx_leave_out(struct ptx_job *j, const struct ptx_statement *s)
{
	ptx_copy_to(j, ptx_start_of(j->t, s));
	j->copied = ptx_end_of(j->t, s);
}

/* Tests for a statement to leave out: debug sections, references to them, and a
 * hint that must stand right before its instruction. */
bool ptx_unwanted(const struct ptx_text *t, const struct ptx_statement *s)
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

/* Finds .version, .target and .address_size. */
int ptx_head_find(struct ptx_head *h, const struct ptx_text *t)
{
	*h = (struct ptx_head) { .t = t };
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

/* Returns the first number in the word, with the digits after its dot, in
 * thousandths: 9.0 gives 9000, sm_90a gives 90000. */
static unsigned long version_number(const struct ptx_text *t, uint32_t token)
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

/* Writes the one of two statements whose second word has the greater number. */
static void write_greater(struct str *out, const struct ptx_head *a,
			  const struct ptx_statement *sa,
			  const struct ptx_head *b,
			  const struct ptx_statement *sb)
{
	const struct ptx_head *h = a;
	const struct ptx_token *k;

	if (b && version_number(b->t, sb->first + 1) >
			 version_number(a->t, sa->first + 1)) {
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

/* Writes the head of the new text; `recorder` may be NULL. */
void ptx_head_write(struct ptx_job *j, const struct ptx_head *h,
		    const struct ptx_head *recorder)
{
	str_add(&j->out, "//\n");
	write_greater(&j->out, h, h->version, recorder,
		      recorder ? recorder->version : NULL);
	write_greater(&j->out, h, h->target, recorder,
		      recorder ? recorder->target : NULL);
	str_addf(&j->out, ".address_size %d\n", h->wide ? 64 : 32);
}

/* Copies the text without head, debug sections and lines. */
void ptx_body_copy(struct ptx_job *j)
{
	const struct ptx_text *t = j->t;

	for (size_t i = 0; i < t->statement_count; i++)
		if (t->statements[i].kind == PTX_HEAD ||
		    ptx_unwanted(t, &t->statements[i]))
			ptx_leave_out(j, &t->statements[i]);
	ptx_copy_to(j, t->length);
	str_addc(&j->out, '\n');
}
