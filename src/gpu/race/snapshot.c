/*
 * snapshot: see snapshot.h. The header comes from a process that ran a user's file:
 * all of it is checked.
 */
#include "base/encode.h"
#include "gpu/race/snapshot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BYTES_MOST (64ull << 30)
#define PARAMETER_MOST 32768
enum { IN_PARAMETER, IN_ARRAY, IN_VARIABLE };

static int fail_image(const char *what, struct error *e)
{
	return error_set(e, EXIT_RUNNER, "the stored launch has an invalid "
			 "\"%s\"", what);
}

static int read_image_number(const json_t *o, const char *name, uint64_t most,
			     uint64_t *to, struct error *e)
{
	const json_t *v = json_object_get(o, name);
	json_int_t n = json_integer_value(v);

	if (!json_is_integer(v) || n < 0 || (uint64_t)n > most)
		return fail_image(name, e);
	*to = (uint64_t)n;
	return 0;
}

static int read_image_dim(const json_t *o, const char *name,
			  struct trace_dim *to, struct error *e)
{
	const json_t *v = json_object_get(o, name);
	json_int_t n[3];

	for (size_t i = 0; i < LENGTH(n); i++) {
		n[i] = json_integer_value(json_array_get(v, i));
		if (json_array_size(v) != LENGTH(n) || n[i] < 1 ||
		    n[i] > INT32_MAX)
			return fail_image(name, e);
	}
	*to = (struct trace_dim) { (uint32_t)n[0], (uint32_t)n[1],
				   (uint32_t)n[2] };
	return 0;
}

void *snapshot_read(int fd, off_t at, uint64_t n, struct error *e)
{
	char *to = malloc(MAX(n, 1));
	uint64_t done = 0;

	while (to && done < n) {
		ssize_t got = pread(fd, to + done, n - done,
				    at + (off_t)done);

		if (got <= 0) {
			free(to);
			error_set(e, EXIT_RUNNER, "the stored launch is "
				  "incomplete");
			return NULL;
		}
		done += (uint64_t)got;
	}
	if (!to)
		error_set(e, EXIT_RUNNER, "no memory for an array of the "
			  "launch");
	return to;
}

/* ---- parameters ---- */

static int parameter_read(struct snapshot *i, const json_t *o, struct error *e)
{
	const char *hex = json_string_value(json_object_get(o, "bytes"));
	size_t n = hex ? strlen(hex) / 2 : 0;
	unsigned char *bytes;

	if (!hex || strlen(hex) % 2 || n > PARAMETER_MOST ||
	    i->parameter_count == IMAGE_PARAMETERS)
		return fail_image("parameters", e);
	/* A pointer's place is looked at in words. */
	bytes = xcalloc(n + 8, 1);
	i->parameters[i->parameter_count++] = bytes;
	return hex_decode(hex, bytes, n) ? 0 : fail_image("parameters", e);
}

static size_t parameter_bytes(const json_t *header, size_t i)
{
	const json_t *list = json_object_get(header, "parameters");
	const char *hex = json_string_value(json_object_get(
		json_array_get(list, i), "bytes"));

	return hex ? strlen(hex) / 2 : 0;
}

/* ---- what there is ---- */

/* Reads the type and size of an array or variable, whose contents are at *at in
 * the file, and advances *at. */
static int array_read(struct snapshot_array *a, const json_t *o, off_t *at,
		      struct error *e)
{
	const char *type = json_string_value(json_object_get(o, "type"));

	a->elem = type && elem_from(type) > 0 ? (enum elem)elem_from(type) :
						ELEM_RAW;
	a->changed = json_is_true(json_object_get(o, "changed"));
	a->before = *at;
	if (read_image_number(o, "bytes", BYTES_MOST, &a->bytes, e) < 0)
		return -1;
	*at += (off_t)a->bytes;
	return 0;
}

/* Finds where the contents are in the file: first the variables, then the
 * arrays, then the changed arrays after the launch. */
static int places_read(struct snapshot *i, const json_t *arrays,
		       const json_t *variables, off_t at, struct error *e)
{
	for (size_t k = 0; k < i->variable_count; k++) {
		struct snapshot_array *a = &i->arrays[i->array_count + k];

		a->variable = true;
		if (array_read(a, json_array_get(variables, k), &at, e) < 0)
			return -1;
	}
	for (size_t k = 0; k < i->array_count; k++)
		if (array_read(&i->arrays[k], json_array_get(arrays, k), &at,
			       e) < 0)
			return -1;
	for (size_t k = 0; k < i->array_count; k++) {
		i->arrays[k].after = at;
		if (i->arrays[k].changed)
			at += (off_t)i->arrays[k].bytes;
	}
	return 0;
}

static int header_read(struct snapshot *i, const json_t *h, struct error *e)
{
	const json_t *arrays = json_object_get(h, "arrays");
	const json_t *variables = json_object_get(h, "variables");
	const json_t *parameters = json_object_get(h, "parameters");
	uint64_t shared, begin;

	i->array_count = json_array_size(arrays);
	i->variable_count = json_array_size(variables);
	if (i->array_count > IMAGE_ARRAYS || i->variable_count > IMAGE_ARRAYS) {
		i->array_count = i->variable_count = 0;
		return fail_image("arrays", e);
	}
	i->arrays = xcalloc(i->array_count + i->variable_count + 1,
			    sizeof(*i->arrays));
	if (read_image_dim(h, "grid", &i->grid, e) < 0 ||
	    read_image_dim(h, "block", &i->block, e) < 0 ||
	    read_image_number(h, "shared", 1u << 20, &shared, e) < 0 ||
	    read_image_number(h, "begin", INT64_MAX / 2, &begin, e) < 0)
		return -1;
	if (json_is_array(json_object_get(h, "cluster")) &&
	    read_image_dim(h, "cluster", &i->cluster, e) < 0)
		return -1;
	i->shared = (uint32_t)shared;
	i->cooperative = json_is_true(json_object_get(h, "cooperative"));
	for (size_t k = 0; k < json_array_size(parameters); k++)
		if (parameter_read(i, json_array_get(parameters, k), e) < 0)
			return -1;
	return places_read(i, arrays, variables, (off_t)begin, e);
}

/* ---- pointers ---- */

struct pointer {
	uint64_t in, number, offset, array, to;
};

static int pointer_read(const struct snapshot *i, const json_t *header,
			const json_t *o, struct pointer *p, struct error *e)
{
	uint64_t *to[] = { &p->in, &p->number, &p->offset, &p->array, &p->to };
	uint64_t bytes = 0;

	for (size_t k = 0; k < LENGTH(to); k++) {
		json_int_t n = json_integer_value(json_array_get(o, k));

		if (n < 0)
			return fail_image("pointers", e);
		*to[k] = (uint64_t)n;
	}
	if (p->in == IN_PARAMETER && p->number < i->parameter_count)
		bytes = parameter_bytes(header, p->number);
	else if (p->in == IN_ARRAY && p->number < i->array_count)
		bytes = i->arrays[p->number].bytes;
	else if (p->in == IN_VARIABLE && p->number < i->variable_count)
		bytes = i->arrays[i->array_count + p->number].bytes;
	if (p->offset + 8 > bytes || p->array >= i->array_count ||
	    p->to > i->arrays[p->array].bytes)
		return fail_image("pointers", e);
	return 0;
}

/* Replaces the pointers in an array, variable or parameter by the addresses of
 * the arrays here. Sets *any when there are some. */
static int pointers_set(const struct snapshot *i, const json_t *header,
			uint64_t in, uint64_t number, void *bytes, bool *any,
			struct error *e)
{
	const json_t *list = json_object_get(header, "pointers");

	for (size_t k = 0; k < json_array_size(list); k++) {
		struct pointer p;
		uint64_t value;

		if (pointer_read(i, header, json_array_get(list, k), &p, e) < 0)
			return -1;
		if (p.in != in || p.number != number)
			continue;
		value = i->arrays[p.array].at + p.to;
		memcpy((char *)bytes + p.offset, &value, sizeof(value));
		*any = true;
	}
	return 0;
}

/* ---- onto the GPU ---- */

/* Finds a variable's address on the GPU. The module lacks a variable that its
 * kernel does not use. */
static int snapshot_variable_find(struct snapshot_array *a, const char *name,
			       CUmodule module, struct error *e)
{
	size_t bytes;

	if (!name || cuda.ModuleGetGlobal(&a->at, &bytes, module, name) !=
			     CUDA_SUCCESS) {
		a->at = 0;
		return 0;
	}
	return bytes == a->bytes ? 0 : fail_image("variables", e);
}

static int places_make(struct snapshot *i, const json_t *header, CUmodule module,
		       struct error *e)
{
	const json_t *variables = json_object_get(header, "variables");

	for (size_t k = 0; k < i->array_count; k++)
		if (CUDA_TRY(e, MemAlloc, &i->arrays[k].at,
			     MAX(i->arrays[k].bytes, 1)) < 0)
			return -1;
	for (size_t k = 0; k < i->variable_count; k++)
		if (snapshot_variable_find(
			    &i->arrays[i->array_count + k],
			    json_string_value(json_object_get(
				    json_array_get(variables, k), "name")),
			    module, e) < 0)
			return -1;
	return 0;
}

static int copy_make(struct snapshot_array *a, struct error *e)
{
	if (CUDA_TRY(e, MemAlloc, &a->first, a->bytes) < 0)
		return -1;
	return CUDA_TRY(e, MemcpyDtoD, a->first, a->at, a->bytes);
}

static int place_fill(struct snapshot *i, size_t k, const json_t *header, int fd,
		      struct error *e)
{
	struct snapshot_array *a = &i->arrays[k];
	void *bytes;
	int rc;

	if (!a->at || !a->bytes)
		return 0;
	bytes = snapshot_read(fd, a->before, a->bytes, e);
	if (!bytes)
		return -1;
	rc = pointers_set(i, header, a->variable ? IN_VARIABLE : IN_ARRAY,
			  a->variable ? k - i->array_count : k, bytes,
			  &a->pointers, e);
	if (rc == 0)
		rc = CUDA_TRY(e, MemcpyHtoD, a->at, bytes, a->bytes);
	free(bytes);
	return rc == 0 && (a->variable || a->changed) ? copy_make(a, e) : rc;
}

int snapshot_load(struct snapshot *i, const json_t *header, int fd, CUmodule module,
	       struct error *e)
{
	bool any;

	*i = (struct snapshot){ .array_count = 0 };
	if (header_read(i, header, e) < 0 ||
	    places_make(i, header, module, e) < 0)
		return -1;
	for (size_t k = 0; k < i->array_count + i->variable_count; k++)
		if (place_fill(i, k, header, fd, e) < 0)
			return -1;
	for (size_t k = 0; k < i->parameter_count; k++)
		if (pointers_set(i, header, IN_PARAMETER, k, i->parameters[k],
				 &any, e) < 0)
			return -1;
	return 0;
}

int snapshot_restore(const struct snapshot *i, struct error *e)
{
	for (size_t k = 0; k < i->array_count + i->variable_count; k++) {
		const struct snapshot_array *a = &i->arrays[k];

		if (a->first && CUDA_TRY(e, MemcpyDtoD, a->at, a->first,
					 a->bytes) < 0)
			return -1;
	}
	return 0;
}

void *snapshot_fetch(const struct snapshot_array *a, struct error *e)
{
	void *to = malloc(MAX(a->bytes, 1));

	if (!to)
		error_set(e, EXIT_RUNNER, "no memory for an array of the "
			  "launch");
	else if (CUDA_TRY(e, MemcpyDtoH, to, a->at, a->bytes) == 0)
		return to;
	free(to);
	return NULL;
}

void snapshot_done(struct snapshot *i)
{
	for (size_t k = 0; k < i->array_count + i->variable_count; k++) {
		if (i->arrays[k].at && !i->arrays[k].variable)
			cuda.MemFree(i->arrays[k].at);
		if (i->arrays[k].first)
			cuda.MemFree(i->arrays[k].first);
	}
	for (size_t k = 0; k < i->parameter_count; k++)
		free(i->parameters[k]);
	free(i->arrays);
	*i = (struct snapshot){ .array_count = 0 };
}
