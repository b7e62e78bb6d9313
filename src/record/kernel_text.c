/*
 * kernel_text: see kernel_text.h.
 */
#include <stdlib.h>
#include <string.h>

#include "record/kernel_text.h"
#include "record/user_defines.h"

int kernel_text_make(struct kernel_text *t, const struct job_kernel *k,
		     const char *text, size_t length, struct error *e)
{
	struct user_text *texts = xcalloc(k->headers.count + 1,
					  sizeof(*texts));
	int rc;

	*t = (struct kernel_text){ .headers = { .count = 0 } };
	strip_host_read(&t->own, text, length, &k->headers);
	texts[0] = (struct user_text){ t->own.text, k->file };
	for (size_t i = 0; i < k->headers.count; i++) {
		const struct trace_define *h = &k->headers.list[i];
		char *stripped = strip_host_header(h->value, &k->headers);

		job_define(&t->headers, h->name, stripped);
		free(stripped);
		texts[i + 1] = (struct user_text){ t->headers.list[i].value,
						   h->name };
	}
	rc = user_defines_apply(texts, k->headers.count + 1, k->defines.list,
				k->defines.count, e);
	free(texts);
	return rc;
}

void kernel_text_done(struct kernel_text *t)
{
	strip_host_done(&t->own);
	job_defines_done(&t->headers);
}
