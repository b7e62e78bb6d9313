/*
 * arch_check: refuses instructions that the launch's architecture (--arch)
 * lacks.
 */
#ifndef EMU_WARP_ARCH_CHECK_H
#define EMU_WARP_ARCH_CHECK_H

#include "emu/recording.h"
#include "hardware/arch.h"

/* Ends the launch, whose error names both, if the architecture lacks the PTX
 * instruction that `name` stands for in the kernel's text. */
void arch_refuse(const char *instruction, const char *name, void *here);

static inline void arch_check(const char *instruction, const char *name,
			      void *here)
{
	if (unlikely(rec.arch))
		arch_refuse(instruction, name, here);
}

#endif
