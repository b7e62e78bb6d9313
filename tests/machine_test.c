/*
 * The interpreter of machine code: each instruction alone, and kernels of ours
 * as nvcc 13.0 compiled them, whose counts a GPU has confirmed
 * (data/counters).
 */
#include <math.h>
#include <stdlib.h>

#include "kernels/input.h"
#include "machine_counts.h"
#include "tap.h"

#define BASE 0x700000000000u
#define ROOM 16		/* bytes of a lane's result: R0, R1, P0 */
#define LANE 5		/* whose result is looked at */

/* ---- one instruction ---- */

struct one {
	const char *code;	/* reads R4 to R7 and R3, the lane; sets R0 */
	uint32_t r[4];
	uint32_t r0, r1;
	int p0;			/* -1: does not matter */
};

/* R1 is 0xaaaa before. */
#define KEEP 0xaaaa

static const struct one ones[] = {
	{ "MOV R0, R4 ;", { 7 }, 7, KEEP, -1 },
	{ "IADD3 R0, R4, R5, R6 ;", { 7, 0xfffffffe, 100 }, 105, KEEP, -1 },
	{ "IADD3 R0, P0, R4, R5, RZ ;", { 7, 0xfffffffe }, 5, KEEP, 1 },
	{ "IADD3 R0, P0, R4, -R5, RZ ;", { 7, 8 }, 0xffffffff, KEEP, 0 },
	{ "IADD3 R0, P0, R4, -R5, RZ ;", { 7, 0 }, 7, KEEP, 1 },
	{ "IADD3.X R0, R4, ~R5, RZ, PT, !PT ;", { 7, 3 }, 4, KEEP, -1 },
	{ "VIADD R0, R4, 0xffffffff ;", { 7 }, 6, KEEP, -1 },
	{ "IMAD R0, R4, R5, R6 ;", { 7, 0xffffffff, 10 }, 3, KEEP, -1 },
	{ "IMAD.WIDE R0, R4, R5, R6 ;", { 0xffffffff, 2, 1, 1 }, 0xffffffff,
	  0, -1 },
	{ "IMAD.WIDE.U32 R0, R4, R5, R6 ;", { 0xffffffff, 2, 1, 0 },
	  0xffffffff, 1, -1 },
	{ "IMAD.HI.U32 R0, R4, R5, R6 ;", { 0x80000000, 6, 10, 20 }, 23,
	  KEEP, -1 },
	{ "IMAD.HI R0, R4, R5, R6 ;", { 0x80000000, 6, 10, 20 }, 17, KEEP,
	  -1 },
	{ "IMAD.X R0, R4, 0x2, R5, PT ;", { 7, 1 }, 16, KEEP, -1 },
	{ "LEA R0, R4, R5, 0x4 ;", { 7, 1 }, 113, KEEP, -1 },
	{ "LEA R0, P0, R4, R5, 0x2 ;", { 1, 0xfffffffe }, 2, KEEP, 1 },
	{ "LEA.HI R0, R4, R5, RZ, 0x4 ;", { 0x70000000, 1 }, 8, KEEP, -1 },
	{ "LEA.HI.X R0, R4, R5, R6, 0x4, PT ;", { 0x70000000, 1, 2 }, 41,
	  KEEP, -1 },
	{ "LEA.HI.X.SX32 R0, R4, R5, 0x1, PT ;", { 0x80000000, 1 }, 1, KEEP,
	  -1 },
	{ "SHF.L.U32 R0, R4, R5, RZ ;", { 3, 4 }, 48, KEEP, -1 },
	{ "SHF.L.U32 R0, R4, R5, RZ ;", { 3, 33 }, 0, KEEP, -1 },
	{ "SHF.R.S32.HI R0, RZ, R5, R4 ;", { 0x80000000, 31 }, 0xffffffff,
	  KEEP, -1 },
	{ "SHF.R.U32.HI R0, RZ, R5, R4 ;", { 0x80000000, 31 }, 1, KEEP, -1 },
	{ "SHF.L.U64.HI R0, R4, 0x4, R5 ;", { 0xf0000000, 1 }, 31, KEEP, -1 },
	{ "SHF.R.U64 R0, R4, 0x4, R5 ;", { 0x10, 3 }, 0x30000001, KEEP, -1 },
	{ "SHF.L.W.U32.HI R0, R4, 0x21, R4 ;", { 0x80000001 }, 3, KEEP, -1 },
	{ "LOP3.LUT R0, R4, R5, R6, 0x96, !PT ;", { 12, 10, 1 }, 7, KEEP,
	  -1 },
	{ "LOP3.LUT P0, R0, R4, R5, RZ, 0xc0, !PT ;", { 12, 3 }, 0, KEEP, 0 },
	{ "ISETP.GE.AND P0, PT, R4, R5, PT ;", { 0xffffffff, 0 }, 0, KEEP,
	  0 },
	{ "ISETP.GE.U32.AND P0, PT, R4, R5, PT ;", { 0xffffffff, 0 }, 0,
	  KEEP, 1 },
	{ "ISETP.NE.OR P0, PT, R4, R5, PT ;", { 3, 3 }, 0, KEEP, 1 },
	{ "ISETP.LT.XOR P0, PT, R4, R5, PT ;", { 3, 4 }, 0, KEEP, 0 },
	{ "ISETP.LT.AND.EX P0, PT, R4, R5, PT, PT ;", { 3, 3 }, 0, KEEP, 1 },
	{ "ISETP.LE.AND.EX P0, PT, R4, R5, PT, !PT ;", { 3, 3 }, 0, KEEP,
	  0 },
	{ "PLOP3.LUT P0, PT, PT, !PT, PT, 0x20, 0x0 ;", { 0 }, 0, KEEP, 1 },
	{ "IMNMX R0, R4, R5, PT ;", { 0xffffffff, 4 }, 0xffffffff, KEEP, -1 },
	{ "IMNMX.U32 R0, R4, R5, PT ;", { 0xffffffff, 4 }, 4, KEEP, -1 },
	{ "VIMNMX R0, R4, R5, !PT ;", { 0xffffffff, 4 }, 4, KEEP, -1 },
	{ "VIADDMNMX R0, R4, R5, R6, PT ;", { 3, 4, 6 }, 6, KEEP, -1 },
	{ "SEL R0, R4, R5, !PT ;", { 3, 4 }, 4, KEEP, -1 },
	{ "FSEL R0, -R4, R5, PT ;", { 0x3f800000, 4 }, 0xbf800000, KEEP, -1 },
	{ "IABS R0, R4 ;", { 0xfffffff9 }, 7, KEEP, -1 },
	{ "PRMT R0, R4, 0x5410, R5 ;", { 0x11112222, 0x33334444 },
	  0x44442222, KEEP, -1 },
	{ "PRMT R0, R4, 0x9, R5 ;", { 0x8000 }, 0xff, KEEP, -1 },
	{ "POPC R0, R4 ;", { 0xf0f }, 8, KEEP, -1 },
	{ "FLO.U32 R0, R4 ;", { 0x1000 }, 12, KEEP, -1 },
	{ "FLO.U32.SH R0, R4 ;", { 0x1000 }, 19, KEEP, -1 },
	{ "BREV R0, R4 ;", { 3 }, 0xc0000000, KEEP, -1 },
	{ "SGXT R0, R4, 0x4 ;", { 0x1f }, 0xffffffff, KEEP, -1 },
	{ "SGXT.U32 R0, R4, 0x4 ;", { 0x1f }, 15, KEEP, -1 },
	{ "BMSK R0, R4, R5 ;", { 4, 3 }, 0x70, KEEP, -1 },
	{ "IDP.4A.S8.S8 R0, R4, R5, R6 ;", { 0x010203ff, 0x01010102, 5 }, 9,
	  KEEP, -1 },
	{ "IDP.4A.U8.S8 R0, R4, R5, R6 ;", { 0x010203ff, 0x01010102, 5 }, 521,
	  KEEP, -1 },
	{ "CS2R R0, SRZ ;", { 0 }, 0, 0, -1 },
	{ "S2R R0, SR_LANEID ;", { 0 }, LANE, KEEP, -1 },
	{ "S2R R0, SR_LTMASK ;", { 0 }, 31, KEEP, -1 },
	{ "S2R R0, SR_TID.X ;", { 0 }, LANE, KEEP, -1 },
	{ "UMOV UR4, 0x7 ; IADD3 R0, R4, UR4, RZ ;", { 1 }, 8, KEEP, -1 },
	{ "R2UR UR4, R4 ; UIADD3 UR4, UR4, 0x1, URZ ; MOV R0, UR4 ;", { 8 },
	  9, KEEP, -1 },
	{ "ISETP.NE.AND P0, PT, R4, RZ, PT ; P2R R0, PR, RZ, 0x7f ;", { 1 },
	  1, KEEP, 1 },
	{ "R2P PR, R4, 0x7f ;", { 0x1 }, 0, KEEP, 1 },
	{ "R2P PR, R4, 0x7e ;", { 0x1 }, 0, KEEP, 0 },
	/* reals */
	{ "FADD R0, R4, -R5 ;", { 0x40400000, 0x3f800000 }, 0x40000000, KEEP,
	  -1 },
	{ "FADD R0, |R4|, 1 ;", { 0xc0400000 }, 0x40800000, KEEP, -1 },
	{ "FMUL R0, R4, 0.5 ;", { 0x40400000 }, 0x3fc00000, KEEP, -1 },
	{ "FMUL.FTZ R0, R4, 0.5 ;", { 0x00800000 }, 0, KEEP, -1 },
	{ "FFMA R0, R4, R5, -R6 ;", { 0x40400000, 0x40000000, 0x3f800000 },
	  0x40a00000, KEEP, -1 },
	{ "FFMA.SAT R0, R4, R5, R6 ;", { 0x40400000, 0x40000000, 0 },
	  0x3f800000, KEEP, -1 },
	{ "FSETP.GT.AND P0, PT, R4, R5, PT ;", { 0x40400000, 0x40000000 }, 0,
	  KEEP, 1 },
	{ "FSETP.NEU.AND P0, PT, R4, R5, PT ;", { 0x7fc00000, 0x40000000 }, 0,
	  KEEP, 1 },
	{ "FSETP.GEU.AND P0, PT, R4, R5, PT ;", { 0, 0x40000000 }, 0, KEEP,
	  0 },
	{ "FSET.BF.GT.AND R0, R4, R5, PT ;", { 0x40400000, 0x40000000 },
	  0x3f800000, KEEP, -1 },
	{ "FMNMX R0, R4, R5, !PT ;", { 0x40400000, 0x40000000 }, 0x40400000,
	  KEEP, -1 },
	{ "MUFU.RCP R0, R4 ;", { 0x40000000 }, 0x3f000000, KEEP, -1 },
	{ "MUFU.RSQ R0, R4 ;", { 0x40800000 }, 0x3f000000, KEEP, -1 },
	{ "MUFU.SQRT R0, R4 ;", { 0x40800000 }, 0x40000000, KEEP, -1 },
	{ "MUFU.EX2 R0, R4 ;", { 0x40400000 }, 0x41000000, KEEP, -1 },
	{ "MUFU.LG2 R0, R4 ;", { 0x41000000 }, 0x40400000, KEEP, -1 },
	{ "MUFU.COS R0, R4 ;", { 0x3f000000 }, 0xbf800000, KEEP, -1 },
	{ "FCHK P0, R4, R5 ;", { 0x3f800000, 0x40000000 }, 0, KEEP, 0 },
	{ "FCHK P0, R4, R5 ;", { 0x3f800000, 0x00000001 }, 0, KEEP, 1 },
	{ "I2F.U32 R0, R4 ;", { 3 }, 0x40400000, KEEP, -1 },
	{ "I2F.RP R0, R4 ;", { 0x1000001 }, 0x4b800001, KEEP, -1 },
	{ "I2FP.F32.S32 R0, R4 ;", { 0xfffffffd }, 0xc0400000, KEEP, -1 },
	{ "I2F.F64 R0, R4 ;", { 3 }, 0, 0x40080000, -1 },
	{ "F2I.TRUNC.NTZ R0, R4 ;", { 0xc0600000 }, 0xfffffffd, KEEP, -1 },
	{ "F2I.FTZ.U32.TRUNC.NTZ R0, R4 ;", { 0xc0600000 }, 0, KEEP, -1 },
	{ "F2I.FLOOR.NTZ R0, R4 ;", { 0xc0600000 }, 0xfffffffc, KEEP, -1 },
	{ "F2I.S64.TRUNC R0, R4 ;", { 0xc0600000 }, 0xfffffffd, 0xffffffff,
	  -1 },
	{ "F2F.F64.F32 R0, R4 ;", { 0x40400000 }, 0, 0x40080000, -1 },
	{ "F2F.F32.F64 R0, R4 ;", { 0, 0x40080000 }, 0x40400000, KEEP, -1 },
	{ "F2F.F16.F32 R0, R4 ;", { 0x40400000 }, 0x4200, KEEP, -1 },
	{ "F2FP.PACK_AB R0, R4, R5 ;", { 0x40400000, 0x3f800000 },
	  0x42003c00, KEEP, -1 },
	{ "F2FP.BF16.F32.PACK_AB R0, R4, R5 ;", { 0x40400000, 0x3f800000 },
	  0x40403f80, KEEP, -1 },
	{ "FRND.CEIL R0, R4 ;", { 0x3fa00000 }, 0x40000000, KEEP, -1 },
	/* doubles */
	{ "DADD R0, R4, R6 ;", { 0, 0x40080000, 0, 0x3ff00000 }, 0,
	  0x40100000, -1 },
	{ "DADD R0, R4, -R6 ;", { 0, 0x40080000, 0, 0x3ff00000 }, 0,
	  0x40000000, -1 },
	{ "DMUL R0, R4, R6 ;", { 0, 0x40080000, 0, 0x40000000 }, 0,
	  0x40180000, -1 },
	{ "DMUL R0, R4, 0.5 ;", { 0, 0x40080000 }, 0, 0x3ff80000, -1 },
	{ "DFMA R0, R4, R6, -R4 ;", { 0, 0x40080000, 0, 0x40000000 }, 0,
	  0x40080000, -1 },
	{ "DSETP.GT.AND P0, PT, R4, R6, PT ;",
	  { 0, 0x40080000, 0, 0x40000000 }, 0, KEEP, 1 },
	/* halves */
	{ "HADD2 R0, R4, R5 ;", { 0x40003c00, 0x3c004200 }, 0x42004400, KEEP,
	  -1 },
	{ "HADD2.F32 R0, -RZ, R4.H1_H1 ;", { 0x42003c00 }, 0x40400000, KEEP,
	  -1 },
	{ "HMUL2 R0, R4, R5.H0_H0 ;", { 0x40003c00, 0x3c004200 }, 0x46004200,
	  KEEP, -1 },
	{ "HFMA2 R0, R4, R5, R6 ;", { 0x40003c00, 0x40004200, 0x3c003c00 },
	  0x45004400, KEEP, -1 },
	{ "HFMA2.MMA R0, -RZ, RZ, 1.875, 0 ;", { 0 }, 0x3f800000, KEEP, -1 },
	{ "HFMA2.BF16_V2 R0, R4, R5, R6 ;",
	  { 0x40003f80, 0x40004040, 0x3f803f80 }, 0x40a04080, KEEP, -1 },
	{ "HMNMX2 R0, R4, R5, PT ;", { 0x40003c00, 0x3c004200 }, 0x3c003c00,
	  KEEP, -1 },
	{ "HSETP2.GT.AND P0, PT, R4, R5, PT ;", { 0x40003c00, 0x3c004200 }, 0,
	  KEEP, 0 },
	/* the warp */
	{ "SHFL.IDX PT, R0, R3, 0x9, 0x1f ;", { 0 }, 9, KEEP, -1 },
	{ "SHFL.DOWN P0, R0, R3, 0x1e, 0x1f ;", { 0 }, LANE, KEEP, 0 },
	{ "SHFL.UP P0, R0, R3, 0x2, RZ ;", { 0 }, LANE - 2, KEEP, 1 },
	{ "SHFL.BFLY PT, R0, R3, 0x4, 0x1f ;", { 0 }, LANE ^ 4, KEEP, -1 },
	{ "ISETP.LT.AND P0, PT, R3, 0x4, PT ; VOTE.ANY R0, PT, P0 ;", { 0 },
	  15, KEEP, 0 },
	{ "ISETP.LT.AND P1, PT, R3, 0x4, PT ; VOTE.ALL P0, P1 ;", { 0 }, 0,
	  KEEP, 0 },
	{ "VOTEU.ANY UR4, UPT, PT ; MOV R0, UR4 ;", { 0 }, 0xffffffff, KEEP,
	  -1 },
	{ "LOP3.LUT R2, R3, 0x3, RZ, 0xc0, !PT ; MATCH.ANY R0, R2 ;", { 0 },
	  0x22222222, KEEP, -1 },
	{ "REDUX.SUM UR4, R3 ; MOV R0, UR4 ;", { 0 }, 496, KEEP, -1 },
	{ "REDUX.MAX.S32 UR4, R3 ; MOV R0, UR4 ;", { 0 }, 31, KEEP, -1 },
	{ "IMAD R2, R3, 0x10001, RZ ; MOVM.16.MT88 R0, R2 ;", { 0 }, 0x000c0008, KEEP, -1 },
	/* memory: R8 leads to 16 bytes of each lane, filled with lane + 1 */
	{ "LDG.E.U8 R0, [R8.64] ;", { 0 }, LANE + 1, KEEP, -1 },
	{ "LDG.E.64 R0, [R8.64] ;", { 0 }, 0x06060606, 0x06060606, -1 },
	{ "STS [R4], R5 ; LDS.U16 R0, [R4] ;", { 0x400, 0x12345678 }, 0x5678,
	  KEEP, -1 },
	{ "STS.64 [R4], R6 ; LDS.64 R0, [R4] ;", { 0x400, 0, 3, 4 }, 3, 4,
	  -1 },
	{ "STS.U8 [R4], R5 ; LDS.S8 R0, [R4] ;", { 0x401, 0xff }, 0xffffffff,
	  KEEP, -1 },
	{ "STL.64 [R4], R6 ; LDL R0, [R4+0x4] ;", { 0x10, 0, 3, 4 }, 4, KEEP,
	  -1 },
	{ "LDGSTS.E [R4], [R8.64] ; LDS R0, [R4] ;", { 0x400 }, 0x20202020,
	  KEEP, -1 },
	{ "STS [R4], R5 ; LDGSTS.E [R4], [R8.64], !PT ; LDS R0, [R4] ;",
	  { 0x400, 7 }, 0, KEEP, -1 },
	{ "ATOMS.ADD R0, [R4], R5 ; LDS R1, [R4] ;", { 0x400, 2 }, 10, 64,
	  -1 },
	{ "ATOMS.POPC.INC.32 RZ, [R4] ; BAR.SYNC 0x0 ; LDS R0, [R4] ;",
	  { 0x400 }, 32, KEEP, -1 },
	{ "ATOMS.CAS R0, [R4], R5, R6 ; LDS R1, [R4] ;", { 0x400, 0, 9 }, 9,
	  9, -1 },
	{ "ATOMS.CAS R0, [R4], R5, R6 ; LDS R1, [R4] ;", { 0x400, 5, 9 }, 0,
	  0, -1 },
	{ "RED.E.ADD.STRONG.GPU [R8.64], R4 ; LDG.E R0, [R8.64] ;", { 1 },
	  0x06060607, KEEP, -1 },
	{ "ATOMG.E.MAX.S32.STRONG.GPU PT, R0, [R8.64], R4 ; "
	  "LDG.E R1, [R8.64] ;", { 0x07000000 }, 0x06060606, 0x07000000, -1 },
	{ "ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R0, [R10.64], R4 ; "
	  "LDG.E R1, [R10.64] ;", { 0x3f800000 }, 0, 0x3f800000, -1 },
	{ "ATOMG.E.EXCH.STRONG.GPU PT, R0, [R8.64], R4 ;", { 5 }, 0x06060606,
	  KEEP, -1 },
	/* generic addresses */
	{ "S2R R5, SR_SWINHI ; ST.E [R4.64], R6 ; LDS R0, [R4] ; "
	  "LD.E R1, [R4.64] ;", { 0x400, 0, 7 }, 7, 7, -1 },
	{ "LDC R5, c[0x0][0x24] ; ST.E [R4.64], R6 ; LDL R0, [R4] ; "
	  "LD.E R1, [R4.64] ;", { 0x10, 0, 7 }, 7, 7, -1 },
	{ "LD.E R0, [R8.64] ;", { 0 }, 0x06060606, KEEP, -1 },
	/* where lanes go on */
	{ "ISETP.LT.AND P1, PT, R3, 0x4, PT ; BSSY B0, `(.L_2) ; "
	  "@P1 BRA `(.L_1) ; VOTE.ANY R0, PT, PT ; BRA `(.L_2) ; .L_1: "
	  "MOV R0, RZ ; .L_2: BSYNC B0 ; VOTE.ANY R1, PT, PT ;", { 0 },
	  0xfffffff0, 0xffffffff, -1 },
	{ "ISETP.LT.AND P1, PT, R3, 0x4, PT ; BSSY B0, `(.L_2) ; "
	  "@P1 BRA `(.L_1) ; .L_2: BSYNC B0 ; VOTE.ANY R1, PT, PT ; "
	  "BRA `(.L_3) ; .L_1: MOV R0, 0x1 ; BRA `(.L_2) ; .L_3: NOP ;",
	  { 0 }, 0, 0xffffffff, -1 },
	{ "MOV R4, 0x3 ; .L_1: IADD3 R4, R4, -0x1, RZ ; "
	  "ISETP.NE.AND P0, PT, R4, RZ, PT ; IADD3 R5, R5, R4, RZ ; "
	  "@P0 BRA `(.L_1) ; MOV R0, R5 ;", { 0, 1 }, 4, KEEP, 0 },
	{ "MOV R0, 0x1 ; ISETP.LT.AND P1, PT, R3, 0x4, PT ; "
	  "BRA P1, `(.L_1) ; MOV R0, 0x2 ; .L_1: MOV R1, R0 ;", { 0 }, 2, 2,
	  -1 },
	{ "MOV R4, 0xf0 ; CALL.REL.NOINC `(.L_2) ; MOV R0, R5 ; "
	  "BRA `(.L_1) ; .L_2: IADD3 R5, R5, 0x1, RZ ; "
	  "RET.REL.NODEC R4 `(k) ; .L_1: NOP ;", { 0, 6 }, 7, KEEP, -1 },
	{ "BAR.SYNC 0x0 ; MOV R0, 0x1 ;", { 0 }, 1, KEEP, -1 },
	{ "BAR.RED.POPC.DEFER_BLOCKING 0x0, PT ; B2R.RESULT R0, P0 ;", { 0 },
	  32, KEEP, 1 },
};

/* Adds an instruction with its address; a word that ends in ":" is a label. */
static void add_code(struct str *s, const char *code, unsigned *address)
{
	while (*code) {
		size_t n;

		code += strspn(code, " ");
		n = strcspn(code, ";:");
		if (code[n] == ':')
			str_addf(s, "%.*s:\n", (int)n, code);
		else if (code[n])
			str_addf(s, "\t/*%04x*/  %.*s;\n", (*address)++ * 16,
				 (int)n, code);
		code += n + (code[n] != '\0');
	}
}

/* A kernel that reads its four numbers, does it, and stores what it makes. */
static char *code_of(const struct one *o)
{
	struct str s = { 0 };
	unsigned address = 0;

	str_add(&s, "\t.target\tsm_90\n.text.k:\n");
	add_code(&s, "LDC.64 R8, c[0x0][0x210] ; S2R R3, SR_LANEID ; "
		 "LDC R4, c[0x0][0x218] ; LDC R5, c[0x0][0x21c] ; "
		 "LDC R6, c[0x0][0x220] ; LDC R7, c[0x0][0x224] ; "
		 "IMAD.WIDE.U32 R8, R3, 0x10, R8 ; MOV R0, RZ ; "
		 "MOV R1, 0xaaaa ; PLOP3.LUT P0, PT, PT, PT, PT, 0x0, 0x0 ; "
		 "LDC.64 R10, c[0x0][0x210] ; IMAD.WIDE.U32 R10, R3, 0x10, "
		 "R10 ; IADD3 R10, R10, 0x200, RZ ;", &address);
	add_code(&s, o->code, &address);
	add_code(&s, "SEL R2, RZ, 0x1, !P0 ; STG.E.64 [R8.64], R0 ; "
		 "STG.E [R8.64+0x8], R2 ; EXIT ;", &address);
	return str_take(&s);
}

static void try_one(const struct one *o)
{
	uint8_t data[2 * WARP_LANES * ROOM] = { 0 };
	struct run_memory m = { BASE, sizeof(data), data };
	uint8_t parameters[24];
	char *code = code_of(o);
	struct error e = { .text = "" };
	struct run_launch l = {
		.arch = 90, .grid = { 1, 1, 1 }, .block = { 32, 1, 1 },
		.shared_bytes = 1024, .local_bytes = 64, .memory = &m,
		.memory_count = 1, .parameters = parameters,
		.parameter_bytes = sizeof(parameters), .steps_most = 1000,
	};
	struct sass *s = sass_parse(code, "k", &e);
	struct machine_run *r;
	uint32_t got[3];

	for (int i = 0; i < WARP_LANES * ROOM; i++)
		data[i] = (uint8_t)(i / ROOM + 1);
	memcpy(parameters, &m.base, 8);
	memcpy(parameters + 8, o->r, sizeof(o->r));
	l.sass = s;
	r = s ? run_new(&l, &e) : NULL;
	if (!r || run_block(r, 0, NULL, NULL, &e) < 0) {
		tap_ok(false, "%s: %s", o->code, e.text);
	} else {
		memcpy(got, data + LANE * ROOM, sizeof(got));
		tap_ok(got[0] == o->r0 && got[1] == o->r1 &&
		       (o->p0 < 0 || got[2] == (uint32_t)o->p0),
		       "%s", o->code);
		if (got[0] != o->r0 || got[1] != o->r1 ||
		    (o->p0 >= 0 && got[2] != (uint32_t)o->p0))
			printf("# got 0x%x 0x%x %u, want 0x%x 0x%x %d\n",
			       got[0], got[1], got[2], o->r0, o->r1, o->p0);
	}
	run_free(r);
	sass_free(s);
	free(code);
}

/* One instruction whose lanes' distance changes: 4, 8 and 16 bytes, from one
 * address on; then only some lanes. */
static void try_strides(void)
{
	static const struct { const char *guard; uint64_t lanes; } masks[] = {
		{ "", 3 * WARP_LANES }, { "@P1 ", 3 * 16 },
	};

	for (size_t i = 0; i < LENGTH(masks); i++) {
		struct run_launch l = {
			.arch = 90, .grid = { 1, 1, 1 },
			.block = { 32, 1, 1 }, .shared_bytes = 1024,
			.steps_most = 1000,
		};
		struct str code = { 0 };
		unsigned address = 0;
		char *text, *load = xasprintf("%sLDS R5, [R2+0x400] ; ",
					      masks[i].guard);
		struct machine_run *r;
		struct error e = { .text = "" };
		struct sass *s;

		str_add(&code, "\t.target\tsm_90\n.text.k:\n");
		add_code(&code, "S2R R3, SR_LANEID ; MOV R4, 0x4 ; "
			 "ISETP.LT.AND P1, PT, R3, 0x10, PT ; .L_1: "
			 "IMAD R2, R3, R4, RZ ; ", &address);
		add_code(&code, load, &address);
		add_code(&code, "SHF.L.U32 R4, R4, 0x1, RZ ; "
			 "ISETP.LT.AND P0, PT, R4, 0x20, PT ; "
			 "@P0 BRA `(.L_1) ; EXIT ;", &address);
		text = str_take(&code);
		l.sass = s = sass_parse(text, "k", &e);
		r = s ? run_new(&l, &e) : NULL;
		if (!r || run_block(r, 0, NULL, NULL, &e) < 0) {
			tap_ok(false, "strides: %s", e.text);
		} else {
			tap_is((long)run_counts(r, 4)->wavefronts,
			       i ? 1 + 1 + 2 : 1 + 2 + 4,
			       "%sLDS costs as its lanes' distances are",
			       masks[i].guard);
			tap_is((long)run_counts(r, 4)->lanes,
			       (long)masks[i].lanes, "... of its lanes");
		}
		run_free(r);
		sass_free(s);
		free(text);
		free(load);
	}
}

/* ---- kernels ---- */

struct kernel_case {
	const char *file;
	struct trace_dim grid, block;
	bool half;
	long counts[COUNTS];	/* -1: does not matter */
};

#define G4 { 4, 4, 1 }
#define B16 { 16, 16, 1 }
static const struct kernel_case cases[] = {
	{ "tiled.75", G4, B16, false,
	  { 1024, 4096, 128, 512, 10240, 12288, 1024, 1024 } },
	{ "tiled.80", G4, B16, false,
	  { 1024, 4096, 128, 512, 10240, 12288, 1024, 1024 } },
	{ "tiled.90", G4, B16, false,
	  { 1024, 4096, 128, 512, 10240, 12288, 1024, 1024 } },
	{ "float4.75", { 1, 1, 1 }, B16, false,
	  { 64, -1, 32, -1, 1024, 3072, 64, 256 } },
	{ "float4.80", { 1, 1, 1 }, B16, false,
	  { 64, -1, 32, -1, 1024, 3072, 64, 256 } },
	{ "float4.90", { 1, 1, 1 }, B16, false,
	  { 64, -1, 32, -1, 1024, 3072, 64, 256 } },
	{ "double_buffered.75", G4, B16, false,
	  { 1024, -1, 128, -1, 10240, 12288, 1024, 1024 } },
	{ "double_buffered.80", G4, B16, false,
	  { 1024, -1, 128, -1, 10240, 12288, 0, 0 } },
	{ "register_tiled.75", { 2, 2, 1 }, { 8, 8, 1 }, false,
	  { -1, -1, 128, -1, 1024, 18432, -1, -1 } },
	{ "register_tiled.90", { 2, 2, 1 }, { 8, 8, 1 }, false,
	  { 512, 8192, 128, 2048, 1024, 18432, 512, 3072 } },
	{ "wmma.75", { 1, 1, 1 }, { 256, 1, 1 }, true,
	  { 48, -1, 64, -1, -1, 768, 64, 384 } },
	{ "wmma.80", { 1, 1, 1 }, { 256, 1, 1 }, true,
	  { 48, -1, 64, -1, -1, 768, 64, 384 } },
	{ "mma.80", { 1, 1, 1 }, { 256, 1, 1 }, true,
	  { 48, -1, 64, -1, -1, 768, 64, 256 } },
};

#define SIDE 64
static float a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE * SIDE];
static uint16_t half_a[SIDE * SIDE], half_b[SIDE * SIDE];

/* The half of a whole number from -9 to 9. */
static uint16_t half_bits(float x)
{
	int exponent;
	float fraction = frexpf(fabsf(x), &exponent);

	return (uint16_t)((x < 0 ? 0x8000 : 0) | (exponent + 14) << 10 |
			  ((int)(fraction * 2048) & 1023));
}

static int wrong_elements(void)
{
	int wrong = 0;

	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			double sum = 0;

			for (int k = 0; k < SIDE; k++)
				sum += (double)a[i * SIDE + k] *
				       b[k * SIDE + j];
			wrong += c[i * SIDE + j] != sum;
		}
	return wrong;
}

static void try_kernel(const struct kernel_case *k)
{
	struct run_memory m[3] = {
		{ BASE, sizeof(a), (uint8_t *)(k->half ? (void *)half_a : a) },
		{ BASE + 0x10000, sizeof(b),
		  (uint8_t *)(k->half ? (void *)half_b : b) },
		{ BASE + 0x20000, sizeof(c), (uint8_t *)c },
	};
	struct run_launch l = {
		.grid = k->grid, .block = k->block, .shared_bytes = 48 << 10,
		.memory = m, .memory_count = 3, .steps_most = 10000000,
	};
	char *path = xasprintf("%s/machine/%s.sass", ABS_SRCDIR "/tests",
			       k->file);
	uint8_t parameters[36];
	int sizes[3] = { SIDE, SIDE, SIDE };
	long got[COUNTS] = { 0 };
	struct error e = { .text = "" };
	size_t length;
	char *text = file_read(path, 1 << 24, &length, &e);
	struct sass *s = text ? sass_parse(text, NULL, &e) : NULL;
	struct machine_run *r = NULL;
	int rc = -1;

	for (int i = 0; i < SIDE * SIDE; i++) {
		a[i] = (float)input_at(1, 0, (uint64_t)i);
		b[i] = (float)input_at(1, 1, (uint64_t)i);
		half_a[i] = half_bits(a[i]);
		half_b[i] = half_bits(b[i]);
		c[i] = NAN;
	}
	for (int i = 0; i < 3; i++)
		memcpy(parameters + 8 * i, &m[i].base, 8);
	memcpy(parameters + 24, sizes, sizeof(sizes));
	l.parameters = parameters;
	l.parameter_bytes = sizeof(parameters);
	l.sass = s;
	l.arch = s ? s->arch : 0;
	if (s && (r = run_new(&l, &e)))
		for (uint32_t n = 0; n < l.grid.x * l.grid.y &&
		     (rc = run_block(r, n, NULL, NULL, &e)) == 0; n++)
			;
	tap_ok(rc == 0 && wrong_elements() == 0, "%s: C is right (%s)", k->file,
	       e.text);
	if (rc == 0)
		add_up(r, s, got);
	for (int n = 0; n < COUNTS; n++)
		if (k->counts[n] >= 0)
			tap_is(got[n], k->counts[n], "%s: count %d", k->file,
			       n);
	run_free(r);
	sass_free(s);
	free(text);
	free(path);
}

/* Lines of what was inlined: the outermost is an instruction's own, and it is of
 * all of them. */
static void try_lines(void)
{
	char *path = xasprintf("%s/tests/machine/mma.80.sass", ABS_SRCDIR);
	struct error e = { .text = "" };
	uint32_t inner = 0, outer = 0, other = 0;
	size_t length;
	char *text = file_read(path, 1 << 24, &length, &e);
	struct sass *s = text ? sass_parse(text, NULL, &e) : NULL;

	for (uint32_t i = 0; s && i < s->count; i++) {
		if (!sass_is_of(s, &s->code[i], "mma.cu", 37))
			continue;
		inner++;
		outer += sass_line(s, &s->code[i], "mma.cu") >= 64;
		other += sass_is_of(s, &s->code[i], "ptx.h", 37);
	}
	tap_ok(inner > 0 && outer == inner && other == 0,
	       "line 37 is inlined at line 64 and below (%s)", e.text);
	sass_free(s);
	free(text);
	free(path);
}

int main(void)
{
	try_lines();
	for (size_t i = 0; i < LENGTH(ones); i++)
		try_one(&ones[i]);
	try_strides();
	for (size_t i = 0; i < LENGTH(cases); i++)
		try_kernel(&cases[i]);
	return tap_done();
}
