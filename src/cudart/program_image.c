/*
 * program_image: see program_image.h.
 */
#include "cudart/program_image.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpp_words.h"
#include "base/encode.h"
#include "cudart/program_call.h"
#include "cudart/texture.h"

#define IMAGES_MOST 64
#define PARAMETER_MOST 32768	/* bytes; CUDA has 32764 of all together */
#define VARIABLE_MOST (64u << 20)
/* What a pointer is in. */
enum { IN_PARAMETER, IN_ARRAY, IN_VARIABLE };

/* A launch that was written down, and how many are like it. */
static struct like {
	const struct program_kernel *kernel;
	struct trace_dim grid, block;
	uint64_t shared;
	json_int_t count;
	json_t *header;		/* NULL: it is not in the list */
} likes[1024];
static size_t like_count;

/* The image that is being written. */
static struct {
	struct like *of;
	json_t *header, *arrays, *pointers;
	bool textures;
	bool addresses;	/* of the device's variables */
	const struct allocation *reached[1024];
	size_t reached_count;
	uintptr_t lowest, highest;	/* of all allocations */
	off_t begin, at;		/* in the file */
} image;

/* ---- which ones ---- */

static bool dims_equal(const struct trace_dim *a, const struct trace_dim *b)
{
	return a->x == b->x && a->y == b->y && a->z == b->z;
}

static bool matches_launch(const struct like *l, const struct program_kernel *k,
			   const struct launch_config *c)
{
	return l->kernel == k && dims_equal(&l->grid, &c->grid) &&
	       dims_equal(&l->block, &c->block) && l->shared == c->shared;
}

bool image_wanted(const struct program_kernel *k,
		  const struct launch_config *c)
{
	for (size_t i = 0; i < like_count; i++)
		if (matches_launch(&likes[i], k, c)) {
			likes[i].count++;
			return false;
		}
	if (like_count == LENGTH(likes))
		return false;
	likes[like_count++] = (struct like) {
		.kernel = k, .grid = c->grid, .block = c->block,
		.shared = c->shared, .count = 1,
	};
	return like_count <= IMAGES_MOST;
}

json_t *image_list(void)
{
	json_t *list = json_array();

	for (size_t i = 0; i < like_count; i++) {
		if (!likes[i].header)
			continue;
		json_object_set_new(likes[i].header, "count",
				    json_integer(likes[i].count));
		json_array_append_new(list, likes[i].header);
		likes[i].header = NULL;
	}
	return list;
}

/* ---- writing ---- */

static int append_bytes(const void *bytes, size_t n, struct error *e)
{
	if (write_all(program.trace, bytes, n) < 0)
		return error_set(e, EXIT_OUTPUT, "cannot store the data of the "
				 "launch: %m");
	image.at += (off_t)n;
	return 0;
}

static json_t *encode_hex(const unsigned char *bytes, size_t n)
{
	struct str s = { 0 };
	json_t *o;

	str_add_hex(&s, bytes, n);
	o = json_string(s.data ? s.data : "");
	str_done(&s);
	return o;
}

/* ---- pointers ---- */

static void bounds_find(void)
{
	image.lowest = UINTPTR_MAX;
	image.highest = 0;
	for (size_t i = 0; i < device_memory.count; i++) {
		const struct allocation *a = device_memory.list[i];

		image.lowest = MIN(image.lowest, a->slot);
		image.highest = MAX(image.highest, a->slot + a->slot_bytes);
	}
}

/* Returns the number of the array that an address is in, or right after; -1:
 * none. */
static json_int_t reach_array(uintptr_t address)
{
	const struct allocation *a;

	if (address < image.lowest || address >= image.highest)
		return -1;
	a = device_at(address);
	if (!a || !a->live || address < a->lo || address > a->lo + a->bytes)
		return -1;
	for (size_t i = 0; i < image.reached_count; i++)
		if (image.reached[i] == a)
			return (json_int_t)i;
	if (image.reached_count == LENGTH(image.reached))
		return -1;
	image.reached[image.reached_count++] = a;
	return (json_int_t)image.reached_count - 1;
}

/* Finds the pointers in these bytes. A word that is an address of an array is
 * taken for a pointer: no other value is so large. */
static void pointers_note(int in, size_t number, const unsigned char *bytes,
			  uint64_t n)
{
	for (uint64_t i = 0; i + 8 <= n; i += 8) {
		uintptr_t value;
		json_int_t array;

		memcpy(&value, bytes + i, sizeof(value));
		image.textures |= in == IN_PARAMETER && texture_at(value);
		image.addresses |= program_variable_at(value);
		array = reach_array(value);
		if (array < 0)
			continue;
		json_array_append_new(image.pointers, json_pack(
			"[iIIII]", in, (json_int_t)number, (json_int_t)i,
			array, (json_int_t)(value -
					    image.reached[array]->lo)));
	}
}

/* ---- parameters ---- */

static const struct debug_function *peeked;
static json_t *parameters;

/* Reads the parameters from the frame of the first thread, which is in the
 * kernel's body. */
static void peek(uintptr_t cfa)
{
	size_t number = 0;

	for (size_t i = 0; i < peeked->var_count; i++) {
		const struct debug_var *v = &peeked->vars[i];
		uintptr_t at = cfa + (uintptr_t)v->at;

		if (!v->parameter)
			continue;
		if (v->home == DEBUG_FRAME_ADDRESS)
			memcpy(&at, (void *)at, sizeof(at));
		if ((v->home != DEBUG_FRAME && v->home != DEBUG_FRAME_ADDRESS) ||
		    v->type.bytes > PARAMETER_MOST)
			return;
		pointers_note(IN_PARAMETER, number++, (void *)at,
			      v->type.bytes);
		json_array_append_new(parameters, json_pack(
			"{ss sb so}", "name", v->name, "whole",
			v->type.kind == DEBUG_INTEGER, "bytes",
			encode_hex((void *)at, v->type.bytes)));
	}
}

static int parameters_read(struct launch *l, struct error *e)
{
	size_t wanted = 0;

	parameters = json_array();
	json_object_set_new(image.header, "parameters", parameters);
	peeked = l->entry;
	for (size_t i = 0; i < peeked->var_count; i++)
		wanted += peeked->vars[i].parameter;
	if (emu_look_at_arguments(l, peek, e) < 0)
		return -1;
	if (json_array_size(parameters) == wanted)
		return 0;
	return error_set(e, EXIT_RUNNER, "the arguments of %s cannot be read",
			 peeked->name);
}

/* ---- the device's variables ---- */

/* Returns whether a text declares the name as the device's: in a statement with
 * one of these words. */
static bool declares_device(const char *text, const char *name, size_t length)
{
	struct cpp_text t = { text, strchr(text, '\0'), true, false };
	bool device = false;

	for (struct cpp_word w = cpp_next_code(&t); w.kind;
	     w = cpp_next_code(&t)) {
		if (w.kind == ';' || w.kind == '{' || w.kind == '}' ||
		    w.kind == '(')
			device = false;
		device |= cpp_is(&w, "__device__") ||
			  cpp_is(&w, "__constant__") ||
			  cpp_is(&w, "__managed__");
		if (device && w.kind == CPP_WORD && w.length == length &&
		    !memcmp(w.at, name, length))
			return true;
	}
	return false;
}

/* Finds the last part of a name as the linker has it: _ZN2ns5tableE is
 * "table". */
static const char *last_part(const char *name, size_t *length)
{
	const char *found = name;

	*length = strlen(name);
	if (strncmp(name, "_Z", 2))
		return name;
	for (const char *p = name + 2; *p;) {
		char *end;
		size_t n = strtoul(p, &end, 10);

		if (end == p) {
			p++;
			continue;
		}
		if (!n || n > strlen(end))
			break;
		found = end;
		*length = n;
		p = end + n;
	}
	return found;
}

static bool is_device(const struct symbol *s)
{
	const struct job_kernel *k = &program.job.kernel;
	size_t length;
	const char *name = last_part(s->name, &length);
	bool found = declares_device(k->text, name, length);

	for (size_t i = 0; i < k->headers.count && !found; i++)
		found = declares_device(k->headers.list[i].value, name, length);
	return found;
}

static int variables_write(struct error *e)
{
	const struct symbols *s = &program.host_symbols;
	json_t *list = json_array();

	json_object_set_new(image.header, "variables", list);
	for (size_t i = 0; i < s->count; i++) {
		const struct symbol *v = &s->list[i];
		const unsigned char *at = (void *)(program.host->load + v->at);

		if (!v->variable || !v->bytes || v->bytes > VARIABLE_MOST ||
		    !is_device(v))
			continue;
		pointers_note(IN_VARIABLE, json_array_size(list), at,
			      v->bytes);
		json_array_append_new(list, json_pack("{ss sI}", "name",
			v->name, "bytes", (json_int_t)v->bytes));
		if (append_bytes(at, v->bytes, e) < 0)
			return -1;
	}
	return 0;
}

/* ---- arrays ---- */

static const struct debug_var *find_parameter(json_int_t number)
{
	for (size_t i = 0; i < peeked->var_count; i++)
		if (peeked->vars[i].parameter && number-- == 0)
			return &peeked->vars[i];
	return NULL;
}

/* Returns the elements that a pointer in a parameter points to, by its type. */
static enum elem find_pointee(const struct debug_var *v, json_int_t at)
{
	if (v->type.kind == DEBUG_POINTER)
		return v->type.elem;
	for (size_t i = 0; i < v->pointer_count; i++)
		if ((json_int_t)v->pointers[i].at == at)
			return v->pointers[i].type.elem;
	return ELEM_RAW;
}

/* Returns the type of an array's elements, by the first pointer to it. */
static const char *name_array_type(json_int_t array)
{
	enum elem elem = ELEM_RAW;
	size_t i;
	json_t *p;

	json_array_foreach(image.pointers, i, p) {
		json_int_t v[4];

		for (size_t k = 0; k < LENGTH(v); k++)
			v[k] = json_integer_value(json_array_get(p, k));
		if (elem == ELEM_RAW && v[0] == IN_PARAMETER && v[3] == array)
			elem = find_pointee(find_parameter(v[1]), v[2]);
	}
	return elem_name(elem);
}

/* Writes the arrays, also those that are found in them on the way. */
static int write_reached_arrays(struct error *e)
{
	for (size_t i = 0; i < image.reached_count; i++) {
		const struct allocation *a = image.reached[i];

		pointers_note(IN_ARRAY, i, (void *)a->lo, a->bytes);
		json_array_append_new(
			image.arrays,
			json_pack("{sI ss}", "bytes", (json_int_t)a->bytes,
				  "type", name_array_type((json_int_t)i)));
		if (append_bytes((void *)a->lo, a->bytes, e) < 0)
			return -1;
	}
	return 0;
}

static json_t *header_make(const struct launch *l,
			   const struct launch_config *c,
			   const struct program_kernel *k)
{
	return json_pack(
		"{sI ss ss ss sI so so sI so sb}", "launch",
		(json_int_t)program.number, "kernel", k->recorded->name, "text",
		l->plan.job.kernel.file, "file", c->at.file ? c->at.file : "",
		"line", (json_int_t)c->at.line, "grid",
		program_dims_json(&c->grid), "block",
		program_dims_json(&c->block), "shared", (json_int_t)c->shared,
		"cluster",
		c->cluster.x ? program_dims_json(&c->cluster) : json_null(),
		"cooperative", (int)c->cooperative);
}

int image_before(struct launch *l, const struct launch_config *config,
		 const struct program_kernel *k, struct error *e)
{
	image.of = &likes[like_count - 1];
	image.header = header_make(l, config, k);
	image.arrays = json_array();
	image.pointers = json_array();
	json_object_set_new(image.header, "arrays", image.arrays);
	json_object_set_new(image.header, "pointers", image.pointers);
	image.reached_count = 0;
	image.textures = image.addresses = false;
	image.begin = image.at = lseek(program.trace, 0, SEEK_END);
	bounds_find();
	if (parameters_read(l, e) < 0 || variables_write(e) < 0)
		return -1;
	return write_reached_arrays(e);
}

/* Compares an array with what was written of it; true: it differs. */
static bool has_array_changed(const struct allocation *a, off_t at)
{
	static unsigned char buffer[1 << 20];

	for (uint64_t i = 0; i < a->bytes;) {
		ssize_t n = pread(program.trace, buffer,
				  MIN(sizeof(buffer), a->bytes - i),
				  at + (off_t)i);

		if (n <= 0 ||
		    memcmp(buffer, (void *)(a->lo + i), (size_t)n) != 0)
			return true;
		i += (uint64_t)n;
	}
	return false;
}

int image_after(struct error *e)
{
	off_t at = image.at;

	for (size_t i = image.reached_count; i-- > 0;)
		at -= (off_t)image.reached[i]->bytes;
	for (size_t i = 0; i < image.reached_count; i++) {
		const struct allocation *a = image.reached[i];
		bool differs = has_array_changed(a, at);

		at += (off_t)a->bytes;
		json_object_set_new(json_array_get(image.arrays, i), "changed",
				    json_boolean(differs));
		if (differs && append_bytes((void *)a->lo, a->bytes, e) < 0)
			return -1;
	}
	json_object_set_new(image.header, "textures",
			    json_boolean(image.textures));
	json_object_set_new(image.header, "addresses",
			    json_boolean(image.addresses));
	json_object_set_new(image.header, "begin",
			    json_integer((json_int_t)image.begin));
	json_object_set_new(image.header, "end",
			    json_integer((json_int_t)image.at));
	image.of->header = image.header;
	image.header = NULL;
	return 0;
}
