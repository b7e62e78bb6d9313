/* Any bytes are a lesson, or refused with a place. */
#define REPLAY_CORPUS "lesson"
#include "replay.h"

#include <string.h>

#include "lesson/lesson.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error e = { .text = "" };
	struct lesson *l = lesson_parse("x.md", (const char *)data, size, &e);

	if (!l && strncmp(e.text, "x.md", 4))
		fatal("refused without a place: %s", e.text);
	lesson_free(l);
	return 0;
}
