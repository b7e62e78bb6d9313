/*
 * Writes what NVRTC makes of a kernel's text, so that tests have cubins where
 * there is no nvcc: make_cubin FILE.cu ENTRY ARCH OUT. OUT ends in .cubin, or in
 * .ptx; ARCH is 90 for sm_90. Exits with 77 if there is no NVRTC.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/compile.h"
#include "toolkit/nvrtc.h"

#define TEXT_MOST (1u << 20)
#define SKIPPED 77

int main(int argc, char **argv)
{
	struct job_kernel k = { 0 };
	struct compiled c;
	struct error e;
	size_t length;
	char *text;
	int arch, rc;
	FILE *to;

	if (argc != 5)
		return 2;
	if (nvrtc_open(&e) < 0)
		return SKIPPED;
	text = file_read(argv[1], TEXT_MOST, &length, &e);
	if (!text)
		return 1;
	k.file = argv[1];
	k.text = text;
	k.text_length = length;
	arch = atoi(argv[3]);
	rc = nvrtc_compile(&c, strstr(argv[4], ".ptx") ? COMPILE_OPTIMIZED :
			   COMPILE_TIMED, &k, text, argv[2], arch / 10,
			   arch % 10, &e);
	free(text);
	if (rc < 0) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	to = fopen(argv[4], "wb");
	rc = to && fwrite(c.code, 1, c.length, to) == c.length &&
	     fclose(to) == 0 ? 0 : 1;
	if (rc == 0)
		puts(c.entry);
	compiled_done(&c);
	return rc;
}
