/*
 * arch: see arch.h.
 */
#include "hardware/arch.h"

#include <fnmatch.h>
#include <string.h>

/* The first row that fits an instruction counts. */
static const struct arch_feature features[] = {
	{ "wgmma.*", 90, true }, { "setmaxnreg.*", 90, false },
	{ "*.[su]16x2", 90, false }, { "cp.async.bulk*", 90, false },
	{ "cp.reduce.async.bulk*", 90, false },
	{ "cp.async.mbarrier*", 80, false }, { "cp.async.*", 80, false },
	{ "mbarrier.try_wait*", 90, false },
	{ "mbarrier.*expect_tx*", 90, false },
	{ "mbarrier.*cluster*", 90, false }, { "mbarrier.*", 80, false },
	{ "fence.proxy*", 90, false }, { "fence.*cluster*", 90, false },
	{ "fence.mbarrier_init*", 90, false },
	{ "barrier.cluster.*", 90, false }, { "*shared::cluster*", 90, false },
	{ "mapa.*", 90, false }, { "mapa", 90, false },
	{ "getctarank*", 90, false }, { "elect.sync", 90, false },
	{ "griddepcontrol.*", 90, false }, { "multimem.*", 90, false },
	{ "st.async*", 90, false }, { "red.async*", 90, false },
	{ "stmatrix.*", 90, false }, { "ldmatrix.*", 75, false },
	{ "movmatrix.*", 75, false }, { "redux.sync.*", 80, false },
	{ "mma.sp*", 80, false }, { "mma.*.e4m3*", 89, false },
	{ "mma.*.e5m2*", 89, false }, { "mma.*m8n8k4*.f64*", 80, false },
	{ "mma.*.f64*", 90, false }, { "mma.*.bf16*", 80, false },
	{ "mma.*.tf32*", 80, false }, { "mma.*m16n8k16*", 80, false },
	{ "mma.*m16n8k32*", 80, false }, { "mma.*m16n8k64*", 80, false },
	{ "mma.*m16n8k128*", 80, false }, { "mma.*m16n8k256*", 80, false },
	{ "mma.*m16n8k8*", 75, false }, { "mma.*m8n8k4*", 70, false },
	{ "mma.*", 75, false }, { "wmma.*.bf16*", 80, false },
	{ "wmma.*.tf32*", 80, false }, { "wmma.*.f64*", 80, false },
	{ "wmma.*", 70, false }, { "match.*", 70, false },
	{ "cvt.*.e4m3x2*", 89, false }, { "cvt.*.e5m2x2*", 89, false },
	{ "cvt.*.bf16*", 80, false }, { "cvt.*.tf32*", 80, false },
	{ "cvt.*.relu*", 80, false }, { "fma.*.relu*", 80, false },
	{ "fma.*.bf16*", 80, false }, { "add.*bf16*", 90, false },
	{ "sub.*bf16*", 90, false }, { "mul.*bf16*", 90, false },
	{ "m??.*bf16*", 80, false }, { "m??.*xorsign*", 86, false },
	{ "m??.*f16*", 80, false }, { "m??.NaN.f32", 80, false },
	{ "m??.*relu*", 90, false }, { "tanh.*bf16*", 90, false },
	{ "ex2.*bf16*", 90, false }, { "tanh.*", 75, false },
	{ "ex2.*f16*", 75, false }, { "createpolicy.*", 80, false },
	{ "*L2::cache_hint*", 80, false }, { "*L2::128B*", 75, false },
	{ "*L2::256B*", 80, false }, { "discard.*", 80, false },
	{ "applypriority.*", 80, false }, { "atom.*.v[248].*", 90, false },
	{ "red.*.v[248].*", 90, false }, { "atom.*bf16*", 90, false },
	{ "red.*bf16*", 90, false }, { "atom.*.b128", 90, false },
};

const struct arch_feature *arch_lacks(uint32_t arch, const char *instruction)
{
	for (size_t i = 0; i < LENGTH(features); i++) {
		const struct arch_feature *f = &features[i];

		if (fnmatch(f->instruction, instruction, 0) == 0)
			return arch < f->since ||
			       (f->only && arch > f->since) ? f : NULL;
	}
	return NULL;
}

/* The first of an architecture is its usual one. */
static const struct arch_card cards[] = {
	{ "GTX750Ti", 50, 5 }, { "GTX980", 52, 16 }, { "TX1", 53, 2 },
	{ "P100", 60, 56 }, { "GTX1080Ti", 61, 28 }, { "P40", 61, 30 },
	{ "TX2", 62, 2 }, { "V100", 70, 80 }, { "Xavier", 72, 8 },
	{ "T4", 75, 40 }, { "RTX2080Ti", 75, 68 },
	{ "A100", 80, 108 }, { "A30", 80, 56 },
	{ "A10", 86, 72 }, { "A40", 86, 84 }, { "RTX3060", 86, 28 },
	{ "RTX3080", 86, 68 }, { "RTX3090", 86, 82 },
	{ "Orin", 87, 16 },
	{ "L40S", 89, 142 }, { "L4", 89, 58 }, { "RTX4060", 89, 24 },
	{ "RTX4070", 89, 46 }, { "RTX4080", 89, 76 },
	{ "RTX4090", 89, 128 },
	{ "H100", 90, 132 }, { "H200", 90, 132 }, { "GH200", 90, 132 },
	{ "B200", 100, 148 }, { "B300", 103, 148 }, { "Thor", 110, 20 },
	{ "RTX5090", 120, 170 }, { "RTX5080", 120, 84 }, { "GB10", 121, 48 },
};

const struct arch_card *arch_card_named(const char *name)
{
	for (size_t i = 0; i < LENGTH(cards); i++)
		if (!strcasecmp(cards[i].name, name))
			return &cards[i];
	return NULL;
}

const struct arch_card *arch_card_usual(uint32_t arch)
{
	for (size_t i = 0; i < LENGTH(cards); i++)
		if (cards[i].arch == arch)
			return &cards[i];
	return NULL;
}
