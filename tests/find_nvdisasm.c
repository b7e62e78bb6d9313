/* Prints the path of the nvdisasm that gemmviz-machine uses. */
#include <stdio.h>
#include <stdlib.h>

#include "toolkit/nvrtc.h"
#include "toolkit/tools.h"

int main(void)
{
	char *found;

	nvrtc_open(NULL);
	found = tools_nvdisasm();
	if (!found)
		return 1;
	puts(found);
	free(found);
	return 0;
}
