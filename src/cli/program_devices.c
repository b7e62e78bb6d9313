/*
 * program_devices: see program_devices.h.
 */
#include "cli/program_devices.h"

#include <stdlib.h>
#include <string.h>

#include "base/columns.h"
#include "base/lang.h"
#include "base/text.h"

#define WORKS_SHOWN 60

static const char *get_shown_text(const json_t *o, const char *member)
{
	const char *s = json_string_value(json_object_get(o, member));

	return text_show(s ? s : "");
}

static long long get_integer(const json_t *o, const char *member)
{
	return json_integer_value(json_object_get(o, member));
}

bool program_has_devices(const json_t *summary)
{
	return json_array_size(json_object_get(summary, "devices")) > 1;
}

/* ---- problems ---- */

/* Returns the name of the problem's memory, such as "a", else "memory". */
static const char *get_memory_name(const json_t *p)
{
	const char *name = get_shown_text(p, "name");

	return *name ? name : _("memory");
}

static char *peer_words(const json_t *p)
{
	return xasprintf(_("%s: %s is the memory of device %lld, not of "
			   "device %lld"),
			 get_shown_text(p, "word"), get_memory_name(p),
			 get_integer(p, "room"), get_integer(p, "bytes"));
}

/* Returns the other place of a problem, "x.cu:12"; the caller frees it. */
static char *format_other_place(const json_t *p)
{
	const json_t *at = json_object_get(p, "other");

	return xasprintf("%s:%lld", get_shown_text(at, "file"),
			 get_integer(at, "line"));
}

/* Describes what two ranks do not agree on; the caller frees it. */
static char *describe_mismatch(const json_t *p)
{
	long long a = get_integer(p, "bytes"), b = get_integer(p, "room");
	const char *call = get_shown_text(p, "word"),
		   *what = get_shown_text(p, "name");
	char *at = format_other_place(p), *words;

	if (!strcmp(what, "count"))
		words = xasprintf(_("%1$s passes %2$lld elements, but the call "
				    "at %4$s passes %3$lld: the counts must be "
				    "equal"), call, a,
				  b, at);
	else if (!strcmp(what, "root"))
		words = xasprintf(_("%1$s passes the root %2$lld, but the call "
				    "at %4$s passes %3$lld: all ranks must "
				    "pass the same root"), call,
				  a, b, at);
	else if (!strcmp(what, "type"))
		words = xasprintf(_("%s passes another element type than the "
				    "call at %s"), call, at);
	else if (!strcmp(what, "operation"))
		words = xasprintf(_("%s passes another operation than the call "
				    "at %s"),
				  call, at);
	else
		words = xasprintf(_("rank %lld calls %s, but rank %lld calls "
				    "%s (%s): all ranks must make the same "
				    "calls in the same order"),
				    a, call, b, what, at);
	free(at);
	return words;
}

/* Describes a call that waits for another rank, or (alone) for one that this
 * thread calls later. The caller frees it. */
static char *describe_wait(const json_t *p, bool alone)
{
	long long rank = get_integer(p, "bytes");
	const char *call = get_shown_text(p, "word"),
		   *ranks = get_shown_text(p, "name");

	if (alone)
		return xasprintf(_("%s of rank %lld may never return: it can "
				   "wait for rank %s, but this thread makes "
				   "that rank's call later; put all these "
				   "calls between ncclGroupStart() and "
				   "ncclGroupEnd()"),
				 call, rank, ranks);
	if (!strcmp(call, "ncclSend"))
		return xasprintf(_("rank %lld sends data here that rank %s "
				   "never receives"), rank, ranks);
	if (!strcmp(call, "ncclRecv"))
		return xasprintf(_("rank %lld waits here for data that rank %s "
				   "never sends"), rank, ranks);
	return xasprintf(_("%s of rank %lld waits forever: rank %s never calls "
			   "it"), call, rank, ranks);
}

/* Describes a mistake in the use of NCCL; NULL: it is none. The caller frees
 * it. */
static char *describe_nccl(const json_t *p, const char *kind)
{
	long long a = get_integer(p, "bytes"), b = get_integer(p, "room");
	const char *call = get_shown_text(p, "word");

	if (!strcmp(kind, "mismatch"))
		return describe_mismatch(p);
	if (!strcmp(kind, "alone") || !strcmp(kind, "missing"))
		return describe_wait(p, *kind == 'a');
	if (!strcmp(kind, "init"))
		return xasprintf(_("%s waits forever: this group does not call "
				   "it for all ranks of the communicator"),
				 call);
	if (!strcmp(kind, "comm"))
		return xasprintf(_("%s gets a communicator that does not exist "
				   "or was destroyed"), call);
	if (!strcmp(kind, "open"))
		return xstrdup(_("the group that begins here is still open "
				 "when the host waits or ends: its calls may "
				 "not have started"));
	if (!strcmp(kind, "stream"))
		return xasprintf(_("%s fails: its stream belongs to device "
				   "%lld, its communicator to device %lld"),
				   call, a,
				 b);
	if (!strcmp(kind, "host"))
		return xasprintf(_("%s gets an address outside the device's "
				   "memory"), call);
	if (!strcmp(kind, "overlap"))
		return xasprintf(_("%s gets two buffers that overlap, but not "
				   "in one of the ways that NCCL allows"),
				   call);
	return NULL;
}

char *program_devices_words(const json_t *p)
{
	const char *kind = get_shown_text(p, "kind");
	long long a = get_integer(p, "bytes"), b = get_integer(p, "room");

	if (!strncmp(kind, "nccl-", 5))
		return describe_nccl(p, kind + 5);
	if (!strcmp(kind, "devices"))
		return xasprintf(_("the program sees %lld devices here: "
				   "--devices %lld gives it more"), b, a);
	if (!strcmp(kind, "staged"))
		return xasprintf(_("this copy between devices %lld and %lld "
				   "goes through the host: "
				   "cudaDeviceEnablePeerAccess() would make it "
				   "direct"),
				 a, b);
	if (!strcmp(kind, "stream-device"))
		return xasprintf(_("%s fails: its stream belongs to device "
				   "%lld, but device %lld is current"),
				 get_shown_text(p, "word"), a, b);
	if (!strcmp(kind, "other-device"))
		return xasprintf(_("%s on device %lld gets %s, which is memory "
				   "of device %lld"),
				 get_shown_text(p, "word"), b,
				 get_memory_name(p), a);
	if (!strcmp(kind, "event-device"))
		return xasprintf(_("%s fails: its arguments belong to "
				   "different devices, %lld and %lld"),
				 get_shown_text(p, "word"), a, b);
	return strcmp(kind, "peer-device") ? NULL : peer_words(p);
}

/* ---- the order ---- */

/* Returns a device's number, or "host"; the caller frees it. */
static char *name_side(const json_t *o, const char *member)
{
	const json_t *v = json_object_get(o, member);

	return json_is_integer(v) ? xasprintf("%lld", (long long)
					      json_integer_value(v)) :
				    xstrdup(_("host"));
}

static char *name_route(const json_t *w)
{
	char *from, *to, *both;

	if (json_object_get(w, "device"))
		return name_side(w, "device");
	from = name_side(w, "from");
	to = name_side(w, "to");
	both = xasprintf("%s -> %s", from, to);
	free(from);
	free(to);
	return both;
}

/* Returns the size of a product, "64x64x16", or of a transfer, "4096 bytes
 * a_panel"; the caller frees it. */
static char *describe_amount(const json_t *w)
{
	const json_t *size = json_object_get(w, "size");

	if (json_is_array(size))
		return xasprintf("%lldx%lldx%lld", (long long)
			json_integer_value(json_array_get(size, 0)), (long long)
			json_integer_value(json_array_get(size, 1)), (long long)
			json_integer_value(json_array_get(size, 2)));
	if (json_object_get(w, "device"))
		return xstrdup("");
	return xasprintf(_("%lld bytes %s"), get_integer(w, "bytes"),
			 get_shown_text(w, "name"));
}

static void add_heading(struct columns *t, const char *const *words,
			size_t count)
{
	char **row = columns_row(t);

	for (size_t i = 0; i < count; i++)
		row[i] = xstrdup(_(words[i]));
}

static void works_print(const json_t *summary, FILE *out)
{
	static const char *const words[] = { N_("order"), N_("turn"),
		N_("what"), N_("device"), N_("size"), N_("stream"),
		N_("line") };
	const json_t *list = json_object_get(summary, "works");
	size_t count = json_array_size(list);
	struct columns t = { .left = 1u << 2 | 1u << 3 | 1u << 4 | 1u << 6 };
	long long left = get_integer(summary, "works_left_out");

	if (!count)
		return;
	fprintf(out, "\n%s\n", _("work of the devices, in the order of the "
				 "program's calls; work of the same turn may "
				 "overlap:"));
	add_heading(&t, words, LENGTH(words));
	for (size_t i = 0; i < MIN(count, WORKS_SHOWN); i++) {
		const json_t *w = json_array_get(list, i);
		char **row = columns_row(&t);

		row[0] = xasprintf("%zu", i + 1);
		row[1] = xasprintf("%lld", get_integer(w, "turn"));
		row[2] = xstrdup(get_shown_text(w, "what"));
		row[3] = name_route(w);
		row[4] = describe_amount(w);
		row[5] = xasprintf("%lld", get_integer(w, "stream"));
		row[6] = xasprintf("%s:%lld", get_shown_text(w, "file"),
				   get_integer(w, "line"));
	}
	columns_print(&t, out);
	columns_done(&t);
	left += (long long)(count - MIN(count, WORKS_SHOWN));
	if (left)
		fprintf(out, _("  ... and %lld more\n"), left);
}

/* ---- what it comes to ---- */

/* Computes the bytes of links between devices. */
static long long sum_link_bytes(const json_t *links)
{
	long long bytes = 0;
	json_t *l;
	size_t i;

	json_array_foreach(links, i,
			   l) if (json_is_integer(json_object_get(l, "from")) &&
				  json_is_integer(json_object_get(l, "to")))
		bytes += get_integer(l, "bytes");
	return bytes;
}

static void links_print(const json_t *links, FILE *out)
{
	static const char *const words[] = { N_("from"), N_("to"), N_("bytes"),
					     N_("transfers") };
	struct columns t = { .left = 0 };
	json_t *l;
	size_t i;

	if (!json_array_size(links))
		return;
	fprintf(out, "\n%s\n", _("copies between memories:"));
	add_heading(&t, words, LENGTH(words));
	json_array_foreach(links, i, l) {
		char **row = columns_row(&t);

		row[0] = name_side(l, "from");
		row[1] = name_side(l, "to");
		row[2] = xasprintf("%lld", get_integer(l, "bytes"));
		row[3] = xasprintf("%lld", get_integer(l, "transfers"));
	}
	columns_print(&t, out);
	columns_done(&t);
}

/* Returns the FLOP of all. */
static double products_print(const json_t *devices, FILE *out)
{
	static const char *const words[] = { N_("device"), N_("launches"),
					     N_("FLOP of products"),
					     N_("other launches") };
	struct columns t = { .left = 0 };
	double all = 0;
	json_t *d;
	size_t i;

	fprintf(out, "\n%s\n", _("on each device:"));
	add_heading(&t, words, LENGTH(words));
	json_array_foreach(devices, i, d) {
		double flops = json_number_value(json_object_get(d, "flops"));
		char **row = columns_row(&t);

		row[0] = name_side(d, "device");
		row[1] = xasprintf("%lld", get_integer(d, "launches"));
		row[2] = xasprintf("%.0f", flops);
		row[3] = xasprintf("%lld", get_integer(d, "other_launches"));
		all += flops;
	}
	columns_print(&t, out);
	columns_done(&t);
	return all;
}

void program_devices_print(const json_t *summary, FILE *out)
{
	const json_t *devices = json_object_get(summary, "devices");
	const json_t *links = json_object_get(summary, "links");
	long long bytes = sum_link_bytes(links);
	double flops;

	if (!devices)
		return;
	works_print(summary, out);
	links_print(links, out);
	flops = products_print(devices, out);
	if (flops > 0 && bytes > 0)
		fprintf(out, _("%.4g FLOP per byte between devices\n"),
			flops / (double)bytes);
}
