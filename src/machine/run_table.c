/* run_table: the opcodes that run, and how their operands are read. See
 * run_parts.h. */
#include <stdlib.h>

#include "machine/run_parts.h"

#define I TAKES_INTEGER
#define F TAKES_FLOAT
#define D TAKES_DOUBLE
#define H TAKES_HALF
/* NAME, function, type, modifiers. */
#define OP(n, f, t, p) { .name = n, .run = step_##f, .type = t, .prepare = p }
/* The same for one whose first operands are not registers that it sets. */
#define TO_P(n, f, t, o, p) \
	{ .name = n, .run = step_##f, .type = t, .no_register = true, \
	  .outs = o, .prepare = p }
#define FLOW(n, w) { .name = n, .flow = w, .no_register = true }
#define NOTHING(n) { .name = n, .no_register = true }

static const struct opcode opcodes[] = {
	OP("MOV", mov, I, NULL), OP("UMOV", mov, I, NULL),
	OP("LDC", ldc, I, prepare_access), OP("ULDC", ldc, I, prepare_access),
	OP("IMAD", imad, I, prepare_imad), OP("UIMAD", imad, I, prepare_imad),
	OP("IADD3", iadd3, I, NULL), OP("UIADD3", iadd3, I, NULL),
	OP("VIADD", viadd, I, NULL), OP("UVIADD", viadd, I, NULL),
	OP("LEA", lea, I, NULL), OP("ULEA", lea, I, NULL),
	OP("SHF", shf, I, prepare_shift), OP("USHF", shf, I, prepare_shift),
	OP("LOP3", lop3, I, prepare_lut), OP("ULOP3", lop3, I, prepare_lut),
	TO_P("ISETP", isetp, I, 2, prepare_compare),
	TO_P("UISETP", isetp, I, 2, prepare_compare),
	TO_P("PLOP3", plop3, I, 2, NULL), TO_P("UPLOP3", plop3, I, 2, NULL),
	OP("IMNMX", imnmx, I, prepare_signed),
	OP("UIMNMX", imnmx, I, prepare_signed),
	OP("VIMNMX", imnmx, I, prepare_signed),
	OP("VIADDMNMX", viaddmnmx, I, prepare_signed),
	OP("SEL", sel, I, NULL), OP("USEL", sel, I, NULL),
	OP("FSEL", sel, F, NULL), OP("IABS", iabs, I, NULL),
	OP("PRMT", prmt, I, NULL), OP("UPRMT", prmt, I, NULL),
	OP("POPC", popc, I, NULL), OP("UPOPC", popc, I, NULL),
	OP("FLO", flo, I, prepare_signed), OP("UFLO", flo, I, prepare_signed),
	OP("BREV", brev, I, NULL), OP("UBREV", brev, I, NULL),
	OP("SGXT", sgxt, I, prepare_signed),
	OP("USGXT", sgxt, I, prepare_signed),
	OP("BMSK", bmsk, I, NULL), OP("UBMSK", bmsk, I, NULL),
	OP("IDP", idp, I, NULL), OP("S2R", s2r, I, prepare_special),
	OP("S2UR", s2r, I, prepare_special),
	OP("CS2R", cs2r, I, prepare_special),
	OP("P2R", p2r, I, NULL), TO_P("R2P", r2p, I, 0, NULL),
	OP("R2UR", r2ur, I, NULL), OP("BMOV", bmov, I, NULL),
	OP("FFMA", ffma, F, NULL), OP("FADD", fadd, F, NULL),
	OP("FMUL", fmul, F, NULL), OP("FMNMX", fmnmx, F, NULL),
	TO_P("FSETP", fsetp, F, 2, prepare_compare),
	OP("FSET", fset, F, prepare_compare),
	OP("MUFU", mufu, F, prepare_mufu), TO_P("FCHK", fchk, F, 1, NULL),
	OP("DADD", dadd, D, NULL), OP("DMUL", dmul, D, NULL),
	OP("DFMA", dfma, D, NULL),
	TO_P("DSETP", dsetp, D, 2, prepare_compare),
	OP("I2F", i2f, I, prepare_convert), OP("I2FP", i2f, I, prepare_convert),
	OP("F2I", f2i, F, prepare_convert), OP("F2F", f2f, F, prepare_convert),
	OP("FRND", frnd, F, prepare_convert),
	OP("F2FP", f2fp, F, prepare_convert),
	OP("HADD2", hadd2, H, prepare_half), OP("HMUL2", hmul2, H, prepare_half),
	OP("HFMA2", hfma2, H, prepare_half),
	OP("HMNMX2", hmnmx2, H, prepare_half),
	TO_P("HSETP2", hsetp2, H, 2, prepare_half),
	OP("SHFL", shfl, I, prepare_lanes), OP("VOTE", vote, I, prepare_lanes),
	OP("VOTEU", vote, I, prepare_lanes),
	OP("MATCH", match, I, prepare_lanes),
	OP("REDUX", redux, I, prepare_lanes), OP("MOVM", movm, I, prepare_lanes),
	OP("B2R", b2r, I, prepare_lanes),
	OP("LDG", load, I, prepare_access), OP("LDS", load, I, prepare_access),
	OP("LDL", load, I, prepare_access), OP("LD", load, I, prepare_access),
	TO_P("STG", store, I, 0, prepare_access),
	TO_P("STS", store, I, 0, prepare_access),
	TO_P("STL", store, I, 0, prepare_access),
	TO_P("ST", store, I, 0, prepare_access),
	TO_P("LDGSTS", ldgsts, I, 0, prepare_access),
	OP("LDSM", ldsm, I, prepare_access),
	TO_P("STSM", stsm, I, 0, prepare_access),
	OP("ATOMG", atom, I, prepare_atom), OP("ATOM", atom, I, prepare_atom),
	OP("ATOMS", atom, I, prepare_atom),
	TO_P("RED", atom, I, 0, prepare_atom),
	TO_P("REDG", atom, I, 0, prepare_atom),
	OP("HMMA", hmma, I, prepare_tensor), OP("IMMA", imma, I, prepare_tensor),
	OP("DMMA", tensor, I, NULL), OP("BMMA", tensor, I, NULL),
	FLOW("EXIT", FLOW_EXIT), FLOW("BRA", FLOW_BRANCH),
	FLOW("CALL", FLOW_BRANCH), FLOW("RET", FLOW_RETURN),
	FLOW("BAR", FLOW_BARRIER), FLOW("BSSY", FLOW_BSSY),
	FLOW("BSYNC", FLOW_BSYNC), FLOW("BREAK", FLOW_BREAK),
	FLOW("WARPSYNC", FLOW_WARPSYNC), FLOW("BPT", FLOW_TRAP),
	FLOW("KILL", FLOW_EXIT),
	NOTHING("NOP"), NOTHING("YIELD"), NOTHING("LDGDEPBAR"),
	NOTHING("DEPBAR"), NOTHING("MEMBAR"), NOTHING("ERRBAR"),
	NOTHING("CGAERRBAR"), NOTHING("CCTL"), NOTHING("CCTLL"),
	NOTHING("ACQBULK"), NOTHING("PREEXIT"), NOTHING("NANOSLEEP"),
	NOTHING("PMTRIG"), NOTHING("DEPBAR"), NOTHING("WARPGROUP"),
};

const struct opcode *opcode_find(const char *name)
{
	for (size_t i = 0; i < LENGTH(opcodes); i++)
		if (!strcmp(opcodes[i].name, name))
			return &opcodes[i];
	return NULL;
}

bool run_knows(const struct sass_instruction *i)
{
	return opcode_find(i->opcode) != NULL;
}
