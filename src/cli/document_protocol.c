/* gemmviz-protocol(7): the members of a job, from their tables. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/document.h"
#include "protocol/job_field.h"

static void print_roff(const char *text)
{
	for (; *text; text++)
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else
			putchar(*text);
}

/* Prints the values that a member may have. */
static void print_form(const struct job_field *f)
{
	switch (f->type) {
	case FIELD_FLAG:
		print_roff("true or false");
		break;
	case FIELD_SECONDS:
		printf("a number above 0, at most %lld", f->highest);
		break;
	case FIELD_TEXT:
		printf("text of at most %lld bytes", f->highest);
		break;
	case FIELD_PAIRS:
		print_roff("{\"NAME\":\"TEXT\",...}");
		break;
	case FIELD_NAMES:
		print_roff("[\"TEXT\",...]");
		break;
	case FIELD_OWN:
		print_roff(f->codec->form);
		break;
	default:
		printf("a whole number from %lld to %lld", f->lowest,
		       f->highest);
	}
}

static void print_fields(const struct job_fields *fields, enum job_kind kind)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct job_field *f = &fields->list[i];

		if (!(f->jobs & IN(kind)))
			continue;
		printf(".TP\n\\fB%s\\fR: ", f->name);
		print_form(f);
		putchar('\n');
		print_roff(f->about);
		putchar('\n');
	}
}

static void print_job(enum job_kind kind)
{
	printf(".SS %s\n", job_type_name(kind));
	if (job_has_kernel(kind))
		print_fields(&job_kernel_fields, kind);
	print_fields(&job_fields, kind);
}

void document_protocol(const char *prose)
{
	static const enum job_kind kinds[] = {
		JOB_RECORD, JOB_COUNTERS, JOB_LAUNCHES, JOB_MACHINE,
		JOB_LOCALS, JOB_PAUSE,
	};

	printf(".TH GEMMVIZ\\-PROTOCOL 7 \"\" \"gemmviz %s\"\n",
	       PACKAGE_VERSION);
	fputs(prose, stdout);
	printf(".SH JOBS\n");
	for (size_t i = 0; i < LENGTH(kinds); i++)
		print_job(kinds[i]);
	printf(".SS \"The object program\"\n");
	print_fields(&job_program_fields, JOB_RECORD);
}
