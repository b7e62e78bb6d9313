/* run_memory: loads and stores. See run_parts.h. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/lang.h"
#include "machine/run_parts.h"

void address_get(struct warp *w, const struct sass_operand *o, bool global,
		 uint64_t to[WARP_LANES])
{
	const uint32_t *low = w->r[o->reg].v, *high = w->r[o->reg + 1].v;
	bool has = o->reg != SASS_RZ;
	bool pair = has && global && !o->is_unsigned &&
		    (o->wide || o->uniform == SASS_URZ);
	uint64_t base = (uint64_t)o->offset;

	if (o->uniform != SASS_URZ) {
		base += w->r[o->uniform].v[0];
		if (global && (o->uniform_wide || !pair))
			base += (uint64_t)w->r[o->uniform + 1].v[0] << 32;
	}
	/* Addresses in shared and local memory have 32 bits. */
	if (!global)
		EACH_LANE(l)
			to[l] = (uint32_t)(has ? low[l] * o->scale : 0) +
				(uint32_t)base;
	else if (!has)
		EACH_LANE(l)
			to[l] = base;
	else if (pair)
		EACH_LANE(l)
			to[l] = (low[l] | (uint64_t)high[l] << 32) * o->scale +
				base;
	else if (o->is_unsigned)
		EACH_LANE(l)
			to[l] = (uint64_t)low[l] * o->scale + base;
	else
		EACH_LANE(l)
			to[l] = (uint64_t)(int64_t)(int32_t)low[l] * o->scale +
				base;
}

static uint8_t *find_memory(struct machine_run *r, uint64_t address, uint64_t bytes)
{
	const struct run_memory *m = r->last;
	size_t low = 0, high = r->l.memory_count;

	if (m && address - m->base < m->bytes &&
	    bytes <= m->bytes - (address - m->base))
		return m->data + (address - m->base);
	while (low < high) {
		size_t middle = (low + high) / 2;

		m = &r->l.memory[middle];
		if (address < m->base) {
			high = middle;
		} else if (address - m->base >= m->bytes) {
			low = middle + 1;
		} else {
			if (bytes > m->bytes - (address - m->base))
				return NULL;
			r->last = m;
			return m->data + (address - m->base);
		}
	}
	return NULL;
}

uint8_t *global_bytes(struct machine_run *r, const struct step *s, uint64_t address,
		   uint32_t bytes)
{
	uint8_t *at = find_memory(r, address, bytes);

	if (!at)
		run_refuse(r, s, _("%s accesses 0x%llx, which is in no array"),
			 s->of->text, (unsigned long long)address);
	return at;
}

uint8_t *shared_place(struct machine_run *r, const struct step *s, uint64_t address,
		   uint64_t bytes)
{
	uint64_t offset = address - r->shared_first;

	if (address >= r->shared_first && offset + bytes <= r->shared_size)
		return r->shared + offset;
	run_refuse(r, s, _("%s accesses 0x%llx of shared memory, which has %u "
			 "bytes"), s->of->text, (unsigned long long)address,
		 r->shared_size);
	return NULL;
}

static uint8_t *local_at(struct machine_run *r, struct warp *w, const struct step *s,
			 int l, uint64_t address, uint32_t bytes)
{
	if (address + bytes <= r->l.local_bytes)
		return w->local + (size_t)l * r->l.local_bytes + address;
	run_refuse(r, s, _("%s accesses 0x%llx of local memory, which has %u "
			 "bytes"), s->of->text, (unsigned long long)address,
		 r->l.local_bytes);
	return NULL;
}

bool run_access_space(const struct sass_instruction *i, enum run_space *space,
		      enum op *op)
{
	static const struct {
		const char *name;
		enum run_space space;
		enum op op;
	} table[] = {
		{ "LDG", RUN_GLOBAL, OP_LD }, { "LD", RUN_GLOBAL, OP_LD },
		{ "STG", RUN_GLOBAL, OP_ST }, { "ST", RUN_GLOBAL, OP_ST },
		{ "LDS", RUN_SHARED, OP_LD }, { "STS", RUN_SHARED, OP_ST },
		{ "LDL", RUN_LOCAL, OP_LD }, { "STL", RUN_LOCAL, OP_ST },
		{ "LDSM", RUN_SHARED, OP_LD }, { "STSM", RUN_SHARED, OP_ST },
		{ "LDGSTS", RUN_GLOBAL, OP_LD },
		{ "ATOMG", RUN_GLOBAL, OP_ST }, { "ATOM", RUN_GLOBAL, OP_ST },
		{ "RED", RUN_GLOBAL, OP_ST }, { "REDG", RUN_GLOBAL, OP_ST },
		{ "ATOMS", RUN_SHARED, OP_ST },
	};

	for (size_t n = 0; n < LENGTH(table); n++)
		if (!strcmp(i->opcode, table[n].name)) {
			*space = table[n].space;
			*op = table[n].op;
			return true;
		}
	return false;
}

bool prepare_access(struct step *s)
{
	enum run_space space;
	enum op op;

	s->accesses = run_access_space(s->of, &space, &op);
	s->kind = s->accesses ? space : RUN_SPACES;
	s->generic = !strcmp(s->of->opcode, "LD") ||
		     !strcmp(s->of->opcode, "ST");
	s->is_signed = sass_has(s->of, "S8") || sass_has(s->of, "S16");
	return s->address[0] && !sass_has(s->of, "SPARSE");
}

/* Finds the memory that generic addresses are of, and makes them its own. */
static enum run_space find_space(struct machine_run *r, const struct step *s,
				 uint32_t mask, uint64_t address[WARP_LANES])
{
	uint32_t window = (uint32_t)(address[__builtin_ctz(mask)] >> 32);

	if (!s->generic || (window != SHARED_WINDOW && window != LOCAL_WINDOW))
		return (enum run_space)s->kind;
	EACH_LANE(l) {
		if (IS_IN(mask, l) && address[l] >> 32 != window)
			run_refuse(r, s, _("%s accesses memory of two kinds"),
				   s->of->text);
		address[l] = (uint32_t)address[l];
	}
	return window == SHARED_WINDOW ? RUN_SHARED : RUN_LOCAL;
}

/* Finds the bytes of each lane of an access; where all are in one array, those
 * of other lanes are the lowest. False: the run stops. */
static bool find_bytes(struct machine_run *r, struct warp *w, const struct step *s,
		       const struct run_event *e, const uint64_t *address,
		       struct access_span span, uint8_t *at[WARP_LANES])
{
	uint8_t *all = NULL;

	if (e->space == RUN_SHARED)
		all = shared_place(r, s, span.least,
				   (uint64_t)span.extent + s->bytes);
	else if (e->space == RUN_GLOBAL)
		all = find_memory(r, span.least,
				  (uint64_t)span.extent + s->bytes);
	if (all)
		EACH_LANE(l)
			at[l] = all + (IS_IN(e->mask, l) ?
				       address[l] - span.least : 0);
	else
		for (int l = 0; l < WARP_LANES && !r->failed; l++)
			at[l] = !IS_IN(e->mask, l) ? NULL :
				e->space == RUN_LOCAL ?
				local_at(r, w, s, l, address[l], s->bytes) :
				global_bytes(r, s, address[l], s->bytes);
	return !r->failed;
}

/* Counts an access, and finds its bytes. */
static bool begin_access(struct machine_run *r, struct warp *w, const struct step *s,
			 uint32_t mask, enum op op, uint64_t *address,
			 uint8_t *at[WARP_LANES])
{
	struct run_event e = { .op = op, .bytes = s->bytes, .mask = mask };
	struct access_span span;

	address_get(w, s->address[0], s->kind == RUN_GLOBAL, address);
	e.space = find_space(r, s, mask, address);
	if (r->failed)
		return false;
	span = access_count(r, w, s, &e, address, false);
	return !r->failed && find_bytes(r, w, s, &e, address, span, at);
}

static uint32_t load_small(const struct step *s, const uint8_t *at)
{
	uint16_t v = at[0];

	if (s->bytes == 2)
		memcpy(&v, at, 2);
	if (!s->is_signed)
		return v;
	return s->bytes == 1 ? (uint32_t)(int8_t)v : (uint32_t)(int16_t)v;
}

void step_load(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	uint64_t address[WARP_LANES];
	uint8_t *at[WARP_LANES];
	struct lanes out;

	if (!begin_access(r, w, s, mask, OP_LD, address, at))
		return;
	if (s->to == SASS_RZ)
		return;
	if (s->bytes < 4)
		PUT_EACH(at[l] ? load_small(s, at[l]) : 0);
	for (uint32_t k = 0; k < s->bytes / 4; k++) {
		EACH_LANE(l)
			if (at[l])
				memcpy(&out.v[l], at[l] + 4 * k, 4);
		put_row(w, s->to + k, out.v, mask);
	}
}

void step_store(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	uint64_t address[WARP_LANES];
	uint8_t *at[WARP_LANES];
	uint32_t words = MAX(1, s->bytes / 4), size = MIN(4, s->bytes);

	if (!s->sources) {
		run_refuse(r, s, "%s", s->of->text);
		return;
	}
	if (!begin_access(r, w, s, mask, OP_ST, address, at))
		return;
	for (uint32_t k = 0; k < words; k++) {
		uint32_t row = s->source[0].row;
		const uint32_t *v = w->r[row == SASS_RZ ? row : row + k].v;

		EACH_LANE(l)
			if (IS_IN(mask, l))
				memcpy(at[l] + 4 * k, &v[l], size);
	}
}

/* Copies from global to shared memory; where the last predicate does not hold,
 * zeros are stored. */
void step_ldgsts(struct machine_run *r, struct warp *w, const struct step *s,
		 uint32_t mask)
{
	uint32_t loads = s->ins ? mask & get_predicate(w, s->in[0]) : mask;
	uint64_t to[WARP_LANES], from[WARP_LANES];
	struct run_event ld = { .space = RUN_GLOBAL, .op = OP_LD,
				.bytes = s->bytes, .mask = loads };
	struct run_event st = { .space = RUN_SHARED, .op = OP_ST,
				.bytes = s->bytes, .mask = mask };

	if (!s->address[1]) {
		run_refuse(r, s, "%s", s->of->text);
		return;
	}
	address_get(w, s->address[0], false, to);
	address_get(w, s->address[1], true, from);
	if (loads)
		access_count(r, w, s, &ld, from, false);
	access_count(r, w, s, &st, to, true);
	for (int l = 0; l < WARP_LANES && !r->failed; l++) {
		uint8_t *put, *get;

		if (!IS_IN(mask, l))
			continue;
		put = shared_place(r, s, to[l], s->bytes);
		get = IS_IN(loads, l) ? global_bytes(r, s, from[l], s->bytes) :
					NULL;
		if (put && get)
			memcpy(put, get, s->bytes);
		else if (put && !IS_IN(loads, l))
			memset(put, 0, s->bytes);
	}
}

/* Reads a constant at an address that a register may be part of. */
void step_ldc(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{
	const struct sass_operand *o = s->address[0];
	const uint8_t *bank = o->bank ? NULL : r->constant;
	uint64_t size = sizeof(r->constant), address[WARP_LANES];
	uint32_t words = MAX(1, s->bytes / 4);
	struct lanes out;

	if (o->bank && o->bank < RUN_BANKS) {
		bank = r->l.banks[o->bank].data;
		size = r->l.banks[o->bank].bytes;
	}
	address_get(w, o, false, address);
	for (uint32_t k = 0; k < words; k++) {
		EACH_LANE(l) {
			if (!IS_IN(mask, l))
				continue;
			if (!bank || address[l] + s->bytes > size) {
				run_refuse(r, s, _("%s reads a constant that is "
						 "not known"), s->of->text);
				return;
			}
			if (s->bytes < 4)
				out.v[l] = load_small(s, bank + address[l]);
			else
				memcpy(&out.v[l], bank + address[l] + 4 * k,
				       4);
		}
		put_row(w, s->to == SASS_RZ ? s->to : s->to + k, out.v, mask);
	}
}

/* ---- matrices of 8 x 8 halves ---- */

static uint32_t matrix_count(const struct step *s)
{
	return sass_has(s->of, "4") ? 4 : sass_has(s->of, "2") ? 2 : 1;
}

/* Counts the rows, one a lane, that an LDSM or STSM of n matrices has. */
static bool begin_matrix(struct machine_run *r, struct warp *w, const struct step *s,
			 enum op op, uint32_t n, uint32_t mask,
			 uint8_t *row[WARP_LANES])
{
	uint64_t address[WARP_LANES];
	struct run_event e = {
		.space = RUN_SHARED, .op = op, .bytes = MATRIX_ROW_BYTES,
		.matrix = true,
		.mask = n == 4 ? FULL : ((uint32_t)1 << 8 * n) - 1,
	};

	if (mask != FULL || !s->address[0]) {
		run_refuse(r, s, _("%s is executed by a part of the warp"),
			 s->of->text);
		return false;
	}
	address_get(w, s->address[0], false, address);
	access_count(r, w, s, &e, address, false);
	for (int l = 0; l < (int)n * 8 && !r->failed; l++)
		row[l] = shared_place(r, s, address[l], MATRIX_ROW_BYTES);
	return !r->failed;
}

void step_ldsm(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	uint32_t n = matrix_count(s);
	bool transposed = sass_has(s->of, "MT88");
	uint8_t *row[WARP_LANES];
	struct lanes out;

	if (!begin_matrix(r, w, s, OP_LD, n, mask, row))
		return;
	for (uint32_t m = 0; m < n; m++) {
		uint8_t **of = row + 8 * m;

		EACH_LANE(l) {
			int i = l / 4, k = l % 4 * 2;
			uint16_t h[2];

			for (int p = 0; p < 2; p++)
				memcpy(&h[p], transposed ? of[k + p] + 2 * i :
							   of[i] + 2 * (k + p),
				       2);
			out.v[l] = h[0] | (uint32_t)h[1] << 16;
		}
		put_row(w, s->to + m, out.v, mask);
	}
}

void step_stsm(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	uint32_t n = matrix_count(s);
	bool transposed = sass_has(s->of, "MT88");
	uint8_t *row[WARP_LANES];

	if (!s->sources || !begin_matrix(r, w, s, OP_ST, n, mask, row))
		return;
	for (uint32_t m = 0; m < n; m++) {
		const uint32_t *v = w->r[s->source[0].row + m].v;
		uint8_t **to = row + 8 * m;

		EACH_LANE(l) {
			int i = l / 4, k = l % 4 * 2;

			for (int p = 0; p < 2; p++) {
				uint16_t h = (uint16_t)(v[l] >> 16 * p);

				memcpy(transposed ? to[k + p] + 2 * i :
						    to[i] + 2 * (k + p), &h,
				       2);
			}
		}
	}
}
