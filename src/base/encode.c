/* encode: see encode.h. */
#include "base/encode.h"

void str_add_hex(struct str *s, const void *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++) {
		str_addc(s, digits[p[i] >> 4]);
		str_addc(s, digits[p[i] & 15]);
	}
}

char *hex_encode(const void *bytes, size_t n)
{
	struct str s = { 0 };

	str_add(&s, "");
	str_add_hex(&s, bytes, n);
	return str_take(&s);
}

void str_add_base64(struct str *s, const void *bytes, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i += 3) {
		uint32_t bits = (uint32_t)p[i] << 16;

		bits |= i + 1 < n ? (uint32_t)p[i + 1] << 8 : 0;
		bits |= i + 2 < n ? p[i + 2] : 0;
		str_addc(s, digits[bits >> 18]);
		str_addc(s, digits[bits >> 12 & 63]);
		str_addc(s, i + 1 < n ? digits[bits >> 6 & 63] : '=');
		str_addc(s, i + 2 < n ? digits[bits & 63] : '=');
	}
}

static int digit_value(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	       c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool hex_decode(const char *hex, void *to, size_t n)
{
	unsigned char *bytes = to;

	for (size_t i = 0; i < n; i++) {
		int high = digit_value(hex[2 * i]);
		int low = high < 0 ? -1 : digit_value(hex[2 * i + 1]);

		if (low < 0)
			return false;
		bytes[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}
