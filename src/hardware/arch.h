/*
 * arch: what an architecture, such as sm_75, lacks, and which cards there are.
 *
 * The table of instructions names the first architecture that has each: CUDA's
 * PTX ISA, "Target ISA Notes". tests/arch_test compares it with what nvcc -arch
 * refuses; an architecture here has what its variant with the letter a has, as
 * sm_90a. The cards' numbers of SMs are those of NVIDIA's architecture
 * whitepapers and data sheets.
 */
#ifndef HARDWARE_ARCH_H
#define HARDWARE_ARCH_H

#include "base/base.h"

/* A feature: its instructions, with wildcards as for fnmatch(3), and the first
 * architecture that has it, 80 for sm_80. `only`: no later one has it. */
struct arch_feature {
	const char *instruction;
	uint32_t since;
	bool only;
};

/* Returns the feature that a PTX instruction such as "cp.async.ca.shared.global"
 * needs and the architecture lacks; NULL: it lacks none. */
const struct arch_feature *arch_lacks(uint32_t arch, const char *instruction);

/* A card, as --arch names it. */
struct arch_card {
	const char *name;		/* "A100" */
	uint32_t arch, sms;
};

/* Finds a card by its name; NULL: there is none. */
const struct arch_card *arch_card_named(const char *name);
/* Returns the best known card of an architecture; NULL: none is known. */
const struct arch_card *arch_card_usual(uint32_t arch);

#endif
