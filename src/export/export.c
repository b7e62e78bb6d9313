#include "export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DECLARATION(name) extern const struct exporter exporter_##name;
#define ADDRESS(name) &exporter_##name,

EXPORTERS(DECLARATION)
const struct exporter *const exporters[] = { EXPORTERS(ADDRESS) NULL };

const struct exporter *export_find(const char *name)
{
	for (size_t i = 0; exporters[i]; i++)
		if (!strcmp(exporters[i]->name, name))
			return exporters[i];
	return NULL;
}

int export_begin(struct export *x, struct error *e)
{
	return x->format->begin ? x->format->begin(x, e) : 0;
}

void export_frame(struct export *x, struct export_frame *f)
{
	f->at = x->seconds;
	x->format->frame(x, f);
	x->seconds += f->seconds;
	x->frames++;
}

void export_end(struct export *x)
{
	if (x->format->end)
		x->format->end(x);
}

void export_done(struct export *x)
{
	for (size_t i = 0; i < x->beside_count; i++) {
		free(x->beside[i].name);
		str_done(&x->beside[i].data);
	}
	free(x->beside);
	str_done(&x->out);
}

struct str *export_beside(struct export *x, char *name)
{
	struct export_file *f;

	grow(&x->beside, &x->beside_capacity, x->beside_count + 1,
	     sizeof(*x->beside));
	f = &x->beside[x->beside_count++];
	*f = (struct export_file){ .name = name };
	return &f->data;
}

void export_escape(struct str *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		switch (text[i]) {
		case '&':
			str_add(out, "&amp;");
			break;
		case '<':
			str_add(out, "&lt;");
			break;
		case '>':
			str_add(out, "&gt;");
			break;
		case '"':
			str_add(out, "&quot;");
			break;
		default:
			str_addc(out, text[i]);
		}
	}
}

void export_seconds(struct str *out, double seconds)
{
	str_addf(out, "%g", round(seconds * 1000) / 1000);
}
