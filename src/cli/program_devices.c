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

static const char *text_of(const json_t *o, const char *member)
{
	const char *s = json_string_value(json_object_get(o, member));

	return text_show(s ? s : "");
}

static long long number_of(const json_t *o, const char *member)
{
	return json_integer_value(json_object_get(o, member));
}

bool program_has_devices(const json_t *summary)
{
	return json_array_size(json_object_get(summary, "devices")) > 1;
}

/* ---- problems ---- */

/* "a" or "memory". */
static const char *name_of(const json_t *p)
{
	const char *name = text_of(p, "name");

	return *name ? name : _("memory");
}

static char *peer_words(const json_t *p)
{
	return xasprintf(_("%s: %s is the memory of device %lld, not of "
			   "device %lld"), text_of(p, "word"), name_of(p),
			 number_of(p, "room"), number_of(p, "bytes"));
}

/* "x.cu:12"; heap. */
static char *other_place(const json_t *p)
{
	const json_t *at = json_object_get(p, "other");

	return xasprintf("%s:%lld", text_of(at, "file"), number_of(at, "line"));
}

/* What two ranks do not agree on. */
static char *mismatch_words(const json_t *p)
{
	long long a = number_of(p, "bytes"), b = number_of(p, "room");
	const char *call = text_of(p, "word"), *what = text_of(p, "name");
	char *at = other_place(p), *words;

	if (!strcmp(what, "count"))
		words = xasprintf(_("%s of %lld elements, and of %lld at %s: "
				    "both must give the same number"), call, a,
				  b, at);
	else if (!strcmp(what, "root"))
		words = xasprintf(_("%s with the root %lld, and with %lld at "
				    "%s: all ranks must give the same"), call,
				  a, b, at);
	else if (!strcmp(what, "type"))
		words = xasprintf(_("%s of another type of elements than at "
				    "%s"), call, at);
	else if (!strcmp(what, "operation"))
		words = xasprintf(_("%s with another operation than at %s"),
				  call, at);
	else
		words = xasprintf(_("rank %lld calls %s, where rank %lld calls "
				    "%s (%s): all ranks must call the same, in "
				    "the same order"), a, call, b, what, at);
	free(at);
	return words;
}

static char *waiting_words(const json_t *p, bool alone)
{
	long long rank = number_of(p, "bytes");
	const char *call = text_of(p, "word"), *ranks = text_of(p, "name");

	if (alone)
		return xasprintf(_("%s of rank %lld may never return: it can "
				   "wait for rank %s, for which this thread "
				   "calls it later; ncclGroupStart() and "
				   "ncclGroupEnd() belong around all of them"),
				 call, rank, ranks);
	if (!strcmp(call, "ncclSend"))
		return xasprintf(_("what rank %lld sends here rank %s never "
				   "receives"), rank, ranks);
	if (!strcmp(call, "ncclRecv"))
		return xasprintf(_("what rank %lld waits for here rank %s "
				   "never sends"), rank, ranks);
	return xasprintf(_("%s of rank %lld waits for ever: there is no call "
			   "of it by rank %s"), call, rank, ranks);
}

/* A mistake in the use of NCCL. */
static char *nccl_words(const json_t *p, const char *kind)
{
	long long a = number_of(p, "bytes"), b = number_of(p, "room");
	const char *call = text_of(p, "word");

	if (!strcmp(kind, "mismatch"))
		return mismatch_words(p);
	if (!strcmp(kind, "alone") || !strcmp(kind, "missing"))
		return waiting_words(p, *kind == 'a');
	if (!strcmp(kind, "init"))
		return xasprintf(_("%s waits for ever: not all ranks of the "
				   "communicator are called in this group"),
				 call);
	if (!strcmp(kind, "comm"))
		return xasprintf(_("%s is given a communicator that there is "
				   "not, or no more"), call);
	if (!strcmp(kind, "open"))
		return xstrdup(_("the group that begins here is still open "
				 "when the host waits, or ends: its calls may "
				 "not have begun"));
	if (!strcmp(kind, "stream"))
		return xasprintf(_("%s fails: its stream is device %lld's, and "
				   "its communicator device %lld's"), call, a,
				 b);
	if (!strcmp(kind, "host"))
		return xasprintf(_("%s is given an address that is not in the "
				   "device's memory"), call);
	if (!strcmp(kind, "overlap"))
		return xasprintf(_("%s is given two buffers that overlap, and "
				   "are not in place as NCCL has it"), call);
	return NULL;
}

char *program_devices_words(const json_t *p)
{
	const char *kind = text_of(p, "kind");
	long long a = number_of(p, "bytes"), b = number_of(p, "room");

	if (!strncmp(kind, "nccl-", 5))
		return nccl_words(p, kind + 5);
	if (!strcmp(kind, "devices"))
		return xasprintf(_("the program is told of %lld devices here: "
				   "--devices %lld tells it of more"), b, a);
	if (!strcmp(kind, "staged"))
		return xasprintf(_("this copy between devices %lld and %lld "
				   "goes through the host: after "
				   "cudaDeviceEnablePeerAccess it need not"),
				 a, b);
	if (!strcmp(kind, "stream-device"))
		return xasprintf(_("%s fails: its stream is device %lld's, and "
				   "device %lld is the current one"),
				 text_of(p, "word"), a, b);
	if (!strcmp(kind, "other-device"))
		return xasprintf(_("%s on device %lld is given %s, which is "
				   "the memory of device %lld"),
				 text_of(p, "word"), b, name_of(p), a);
	if (!strcmp(kind, "event-device"))
		return xasprintf(_("%s fails: one is device %lld's, the other "
				   "device %lld's"), text_of(p, "word"), a, b);
	return strcmp(kind, "peer-device") ? NULL : peer_words(p);
}

/* ---- the order ---- */

/* A device's number, or the host. */
static char *side(const json_t *o, const char *member)
{
	const json_t *v = json_object_get(o, member);

	return json_is_integer(v) ? xasprintf("%lld", (long long)
					      json_integer_value(v)) :
				    xstrdup(_("host"));
}

static char *route(const json_t *w)
{
	char *from, *to, *both;

	if (json_object_get(w, "device"))
		return side(w, "device");
	from = side(w, "from");
	to = side(w, "to");
	both = xasprintf("%s -> %s", from, to);
	free(from);
	free(to);
	return both;
}

/* "64x64x16", "4096 bytes a_panel" */
static char *much(const json_t *w)
{
	const json_t *size = json_object_get(w, "size");

	if (json_is_array(size))
		return xasprintf("%lldx%lldx%lld", (long long)
			json_integer_value(json_array_get(size, 0)), (long long)
			json_integer_value(json_array_get(size, 1)), (long long)
			json_integer_value(json_array_get(size, 2)));
	if (json_object_get(w, "device"))
		return xstrdup("");
	return xasprintf(_("%lld bytes %s"), number_of(w, "bytes"),
			 text_of(w, "name"));
}

static void heading(struct columns *t, const char *const *words, size_t count)
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
	long long left = number_of(summary, "works_left_out");

	if (!count)
		return;
	fprintf(out, "\n%s\n", _("what the devices do, in the order in which "
				 "the program asks for it; what has one turn "
				 "may be done at once:"));
	heading(&t, words, LENGTH(words));
	for (size_t i = 0; i < MIN(count, WORKS_SHOWN); i++) {
		const json_t *w = json_array_get(list, i);
		char **row = columns_row(&t);

		row[0] = xasprintf("%zu", i + 1);
		row[1] = xasprintf("%lld", number_of(w, "turn"));
		row[2] = xstrdup(text_of(w, "what"));
		row[3] = route(w);
		row[4] = much(w);
		row[5] = xasprintf("%lld", number_of(w, "stream"));
		row[6] = xasprintf("%s:%lld", text_of(w, "file"),
				   number_of(w, "line"));
	}
	columns_print(&t, out);
	columns_done(&t);
	left += (long long)(count - MIN(count, WORKS_SHOWN));
	if (left)
		fprintf(out, _("  ... and %lld more\n"), left);
}

/* ---- what it comes to ---- */

/* Bytes of links between devices. */
static long long links_bytes(const json_t *links)
{
	long long bytes = 0;
	json_t *l;
	size_t i;

	json_array_foreach(links, i, l)
		if (json_is_integer(json_object_get(l, "from")) &&
		    json_is_integer(json_object_get(l, "to")))
			bytes += number_of(l, "bytes");
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
	fprintf(out, "\n%s\n", _("from one memory to another:"));
	heading(&t, words, LENGTH(words));
	json_array_foreach(links, i, l) {
		char **row = columns_row(&t);

		row[0] = side(l, "from");
		row[1] = side(l, "to");
		row[2] = xasprintf("%lld", number_of(l, "bytes"));
		row[3] = xasprintf("%lld", number_of(l, "transfers"));
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
	heading(&t, words, LENGTH(words));
	json_array_foreach(devices, i, d) {
		double flops = json_number_value(json_object_get(d, "flops"));
		char **row = columns_row(&t);

		row[0] = side(d, "device");
		row[1] = xasprintf("%lld", number_of(d, "launches"));
		row[2] = xasprintf("%.0f", flops);
		row[3] = xasprintf("%lld", number_of(d, "other_launches"));
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
	long long bytes = links_bytes(links);
	double flops;

	if (!devices)
		return;
	works_print(summary, out);
	links_print(links, out);
	flops = products_print(devices, out);
	if (flops > 0 && bytes > 0)
		fprintf(out, _("%.4g FLOP for each byte between devices\n"),
			flops / (double)bytes);
}
