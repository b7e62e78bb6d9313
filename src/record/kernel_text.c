/*
 * kernel_text: see kernel_text.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "kernels/kernels.h"
#include "record/kernel_text.h"
#include "record/user_defines.h"

/* Lists the defines that the text mentions, without those that are parameters
 * of the launch alone. */
static size_t defines_of_text(const struct job_kernel *k, const char *text,
			      size_t length, struct trace_define *to)
{
	const struct kernel *kernel = k->name ? kernel_find(k->name) : NULL;
	size_t n = 0;

	for (size_t i = 0; i < k->defines.count; i++) {
		const struct trace_define *d = &k->defines.list[i];

		if (!kernel || !kernel_param(kernel, d->name) ||
		    cpp_has(text, length, d->name))
			to[n++] = *d;
	}
	return n;
}

/* Blanks all kernels but the chosen one. Runs after -D is applied, since the
 * others may contain its names. */
static void others_leave(struct kernel_text *t, const struct job_kernel *k)
{
	struct strip_host_text one;
	char *all = t->own.text;

	strip_host_read(&one, all, strlen(all), &k->headers, k->entry);
	t->own.text = one.text;
	one.text = all;
	strip_host_done(&one);
}

int kernel_text_make(struct kernel_text *t, const struct job_kernel *k,
		     const char *text, size_t length, struct error *e)
{
	struct user_text *texts = xcalloc(k->headers.count + 1,
					  sizeof(*texts));
	struct trace_define *defines = xcalloc(k->defines.count + 1,
					       sizeof(*defines));
	size_t count = defines_of_text(k, text, length, defines);
	int rc;

	*t = (struct kernel_text){ .headers = { .count = 0 } };
	strip_host_read(&t->own, text, length, &k->headers, NULL);
	texts[0] = (struct user_text){ t->own.text, k->file };
	for (size_t i = 0; i < k->headers.count; i++) {
		const struct trace_define *h = &k->headers.list[i];
		char *stripped = strip_host_header(h->value, &k->headers);

		job_define(&t->headers, h->name, stripped);
		free(stripped);
		texts[i + 1] = (struct user_text){ t->headers.list[i].value,
						   h->name };
	}
	rc = user_defines_apply(texts, k->headers.count + 1, defines, count, e);
	free(defines);
	free(texts);
	if (rc == 0 && k->entry)
		others_leave(t, k);
	return rc;
}

void kernel_text_done(struct kernel_text *t)
{
	strip_host_done(&t->own);
	job_defines_done(&t->headers);
}
