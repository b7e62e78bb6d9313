/*
 * Any bytes are words of C++, one behind the other, none left out. What takes
 * the host's functions out of them keeps their lines.
 */
#define REPLAY_CORPUS "words"
#include "replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "record/strip_host.h"

static void words_check(const char *text, size_t size, bool directives)
{
	struct cpp_text t = { text, text + size, directives, false };
	const char *at = text;
	struct cpp_word w;

	for (w = cpp_next(&t); w.kind; w = cpp_next(&t)) {
		if (w.at != at || w.length == 0)
			abort();
		at += w.length;
	}
	if (at != text + size)
		abort();
}

static void strip_check(const char *text, size_t size)
{
	struct strip_host_text h;

	strip_host_read(&h, text, size, NULL, NULL);
	strip_host_done(&h);
	strip_host_read(&h, text, size, NULL, "k<1>");
	if (strlen(h.text) != strnlen(text, size))
		abort();
	for (size_t i = 0; h.text[i]; i++)
		if ((h.text[i] != text[i] && h.text[i] != ' ') ||
		    (text[i] == '\n' && h.text[i] != '\n'))
			abort();
	strip_host_done(&h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	words_check((const char *)data, size, false);
	words_check((const char *)data, size, true);
	strip_check((const char *)data, size);
	return 0;
}
