/*
 * replay: a fuzz target is LLVMFuzzerTestOneInput(); built without -DFUZZER
 * it is a test that runs its corpus, tests/fuzz/corpus/REPLAY_CORPUS.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifndef FUZZER
#include <dirent.h>
#include <stdlib.h>

#include "base/base.h"
#include "../tap.h"

int main(void)
{
	const char *top = getenv("srcdir");
	char *folder = xasprintf("%s/tests/fuzz/corpus/" REPLAY_CORPUS,
				 top ? top : ABS_SRCDIR), *path, *data;
	struct dirent **names;
	struct error e;
	size_t len;
	int n = scandir(folder, &names, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		path = xasprintf("%s/%s", folder, names[i]->d_name);
		data = names[i]->d_name[0] == '.' ? NULL :
		       file_read(path, SIZE_MAX / 2, &len, &e);
		if (data)
			tap_ok(LLVMFuzzerTestOneInput((uint8_t *)data, len)
			       == 0, "%s", names[i]->d_name);
		free(data);
		free(path);
		free(names[i]);
	}
	tap_ok(n > 2, "there is a corpus");
	if (n >= 0)
		free(names);
	free(folder);
	return tap_done();
}
#endif

#endif
