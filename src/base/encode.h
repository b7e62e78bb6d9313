/*
 * encode: bytes as text, in hexadecimal digits or base64, and back.
 */
#ifndef BASE_ENCODE_H
#define BASE_ENCODE_H

#include "base/base.h"

/* Adds bytes in lower-case hexadecimal digits, two for each. */
void str_add_hex(struct str *s, const void *bytes, size_t n);
/* Returns bytes in such digits; the caller frees it. */
char *hex_encode(const void *bytes, size_t n);
/* Adds bytes in base64 (RFC 4648). */
void str_add_base64(struct str *s, const void *bytes, size_t n);
/* Decodes 2 n lower-case hexadecimal digits. Returns false if one of them is
 * none; `to` then holds what came before it. */
bool hex_decode(const char *hex, void *to, size_t n);

#endif
