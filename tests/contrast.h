/* contrast: how well one colour reads on another, as WCAG has it. */
#ifndef CONTRAST_H
#define CONTRAST_H

#include <math.h>

#include "viz/theme.h"

static inline void linear(int colour, double out[3])
{
	uint32_t rgb = theme_rgb(colour);

	for (int i = 0; i < 3; i++) {
		double v = (rgb >> (16 - 8 * i) & 255) / 255.0;

		out[i] = v <= 0.04045 ? v / 12.92
				      : pow((v + 0.055) / 1.055, 2.4);
	}
}

static inline double contrast(int a, int b)
{
	double l[2][3], y[2];

	linear(a, l[0]);
	linear(b, l[1]);
	for (int i = 0; i < 2; i++)
		y[i] = 0.2126 * l[i][0] + 0.7152 * l[i][1] +
		       0.0722 * l[i][2] + 0.05;
	return MAX(y[0], y[1]) / MIN(y[0], y[1]);
}

#endif
