#include "drill/kernel_loop.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST (1u << 20)
#define HEAD "    for (int t"	/* of the loop, in each kernel of the table */
#define ARRAYS 4

struct arrays { char name[ARRAYS][32]; int count; };

static bool begins_with(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Takes the array of a declaration such as __shared__ float As[TILE][TILE]: the
 * word before the first bracket. */
static void take_array(struct arrays *a, const char *line)
{
	const char *end = strchr(line, '['), *start = end;

	if (!strstr(line, "__shared__") || !end || a->count == ARRAYS)
		return;
	while (start > line && is_word_char(start[-1]))
		start--;
	snprintf(a->name[a->count++], sizeof(a->name[0]), "%.*s",
		 (int)(end - start), start);
}

/* Finds an array's element in the line; NULL: there is none. */
static const char *find_array_element(const struct arrays *a, const char *line)
{
	for (int i = 0; i < a->count; i++) {
		size_t n = strlen(a->name[i]);

		for (const char *p = line; (p = strstr(p, a->name[i])); p += n)
			if (p[n] == '[' && (p == line || !is_word_char(p[-1])))
				return p;
	}
	return NULL;
}

static size_t count_indent(const char *line)
{
	return strspn(line, " ");
}

static bool add_loop_line(struct kernel_loop *l, int number, const char *line)
{
	if (l->count == KERNEL_LOOP_LINES)
		return false;
	l->lines[l->count].number = number;
	l->lines[l->count++].text = xstrdup(line + MIN(4, count_indent(line)));
	return true;
}

/* Takes a line of the loop's body. Returns false if this is no loop of the
 * kind. */
static bool take_body_line(struct kernel_loop *l, const struct arrays *a,
			   const char *line, int number)
{
	const char *element = find_array_element(a, line);
	bool store = element == line + count_indent(line);

	if (strstr(line, "__syncthreads();")) {
		if (l->store < 0 || l->barrier[l->load >= 0])
			return false;
		l->barrier[l->load >= 0] = number;
		return true;
	}
	if (strstr(line, "__") || strstr(line, "mma"))
		return false;
	if (!element)
		return true;
	if ((element > line && element[-1] == '&') || (store && l->load >= 0) ||
	    !add_loop_line(l, number, line))
		return false;
	*(store ? &l->store : &l->load) = l->count - 1;
	return true;
}

/* Takes the body up to its end, with the head of an inner loop before the lines
 * that it repeats. Returns false if this is no loop of the kind. */
static bool take_body(struct kernel_loop *l, const struct arrays *a,
		      char **save, int number)
{
	const char *head = NULL;
	int head_number = 0;

	for (char *line; (line = strsep(save, "\n")); number++) {
		if (!strcmp(line, "    }"))
			return l->load >= 0 && add_loop_line(l, number, line);
		if (head && *line && count_indent(line) <= count_indent(head))
			head = NULL;
		if (head && find_array_element(a, line)) {
			if (strchr(head, '{') ||
			    !add_loop_line(l, head_number, head))
				return false;
			head = NULL;
		}
		if (begins_with(line + count_indent(line), "for (")) {
			head = line;
			head_number = number;
		}
		if (!take_body_line(l, a, line, number))
			return false;
	}
	return false;
}

static bool take_loop(struct kernel_loop *l, char *text)
{
	struct arrays a = { .count = 0 };
	int number = 1;

	for (char *line; (line = strsep(&text, "\n")); number++) {
		take_array(&a, line);
		if (begins_with(line, HEAD))
			return a.count && add_loop_line(l, number, line) &&
			       take_body(l, &a, &text, number + 1);
	}
	return false;
}

bool kernel_loop_read(struct kernel_loop *l, const struct kernel *k)
{
	char *path = xasprintf("%s/%s.cu", paths()->kernels, k->name);
	size_t len;
	char *text = file_read(path, TEXT_MOST, &len, NULL);
	bool found;

	*l = (struct kernel_loop){ .store = -1, .load = -1 };
	found = text && take_loop(l, text);
	if (!found)
		kernel_loop_done(l);
	free(text);
	free(path);
	return found;
}

void kernel_loop_done(struct kernel_loop *l)
{
	for (int i = 0; i < l->count; i++)
		free(l->lines[i].text);
	*l = (struct kernel_loop){0};
}
