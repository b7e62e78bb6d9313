/*
 * launch_stub: see launch_stub.h.
 */
#include "emu/launch_stub.h"

#include <string.h>

#include "emu/module/module.h"

#if defined(__x86_64__)

void stub_hook(void);

/* Stores the registers as the kernel's caller left them; %r11 is the kernel. */
__asm__(".text\n"
	".hidden stub_hook\n"
	".globl stub_hook\n"
	".type stub_hook, @function\n"
	"stub_hook:\n"
	"	subq	$200, %rsp\n"
	"	movq	%rdi, 0(%rsp)\n"
	"	movq	%rsi, 8(%rsp)\n"
	"	movq	%rdx, 16(%rsp)\n"
	"	movq	%rcx, 24(%rsp)\n"
	"	movq	%r8, 32(%rsp)\n"
	"	movq	%r9, 40(%rsp)\n"
	"	movups	%xmm0, 48(%rsp)\n"
	"	movups	%xmm1, 64(%rsp)\n"
	"	movups	%xmm2, 80(%rsp)\n"
	"	movups	%xmm3, 96(%rsp)\n"
	"	movups	%xmm4, 112(%rsp)\n"
	"	movups	%xmm5, 128(%rsp)\n"
	"	movups	%xmm6, 144(%rsp)\n"
	"	movups	%xmm7, 160(%rsp)\n"
	"	leaq	208(%rsp), %rax\n"
	"	movq	%rax, 176(%rsp)\n"
	"	movq	%r11, 184(%rsp)\n"
	"	movq	%rsp, %rdi\n"
	"	call	stub_called\n"
	"	addq	$200, %rsp\n"
	"	ret\n"
	".size stub_hook, . - stub_hook\n"
	/* (call, stack, words, code) */
	".globl stub_run\n"
	".type stub_run, @function\n"
	"stub_run:\n"
	"	pushq	%rbp\n"
	"	movq	%rsp, %rbp\n"
	"	pushq	%rbx\n"
	"	subq	$8, %rsp\n"
	"	movq	%rdi, %rbx\n"
	"	movq	%rcx, %r11\n"
	"	leaq	1(%rdx), %rax\n"
	"	andq	$-2, %rax\n"
	"	shlq	$3, %rax\n"
	"	subq	%rax, %rsp\n"
	"	movq	%rdx, %rcx\n"
	"	movq	%rsp, %rdi\n"
	"	rep movsq\n"
	"	movups	48(%rbx), %xmm0\n"
	"	movups	64(%rbx), %xmm1\n"
	"	movups	80(%rbx), %xmm2\n"
	"	movups	96(%rbx), %xmm3\n"
	"	movups	112(%rbx), %xmm4\n"
	"	movups	128(%rbx), %xmm5\n"
	"	movups	144(%rbx), %xmm6\n"
	"	movups	160(%rbx), %xmm7\n"
	"	movq	0(%rbx), %rdi\n"
	"	movq	8(%rbx), %rsi\n"
	"	movq	16(%rbx), %rdx\n"
	"	movq	24(%rbx), %rcx\n"
	"	movq	32(%rbx), %r8\n"
	"	movq	40(%rbx), %r9\n"
	"	call	*%r11\n"
	"	movq	-8(%rbp), %rbx\n"
	"	leave\n"
	"	ret\n"
	".size stub_run, . - stub_run\n");

bool stub_possible(void)
{
	return true;
}

uint32_t stub_bounds(const unsigned char *kernel)
{
	const unsigned char no_operation = 0x90;
	uint32_t n = 0;

	while (n < STUB_BYTES + BLOCK_THREADS_MAX && kernel[n] == no_operation)
		n++;
	return n > STUB_BYTES ? n - STUB_BYTES : 0;
}

/* Writes movabs $kernel, %r11; movabs $entry_hook, %r10; jmp *%r10. */
void stub_patch(unsigned char *kernel)
{
	uint64_t at = (uintptr_t)kernel, hook = (uintptr_t)stub_hook;

	memcpy(kernel, "\x49\xbb", 2);
	memcpy(kernel + 2, &at, 8);
	memcpy(kernel + 10, "\x49\xba", 2);
	memcpy(kernel + 12, &hook, 8);
	memcpy(kernel + 20, "\x41\xff\xe2", 3);
}

#else

bool stub_possible(void)
{
	return false;
}

uint32_t stub_bounds(const unsigned char *kernel)
{
	(void)kernel;
	return 0;
}

void stub_patch(unsigned char *kernel)
{
	(void)kernel;
}

void stub_run(const struct stub_call *c, const void *stack, size_t words,
	       uintptr_t code)
{
	(void)c;
	(void)stack;
	(void)words;
	(void)code;
}

#endif
