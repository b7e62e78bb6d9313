/*
 * program_image: writes down what a launch that a program makes works on,
 * before and after it, so that it can be made again on a GPU (protocol.h,
 * "images").
 */
#ifndef CUDART_PROGRAM_IMAGE_H
#define CUDART_PROGRAM_IMAGE_H

#include "cudart/program.h"

/* Returns whether this launch is one to write down: the first of its kernel
 * with this grid and block. Counts those that are like it. */
bool image_wanted(const struct program_kernel *k,
		  const struct launch_config *config);
/* Appends to the file of traces what the launch begins with; image_after()
 * appends what it has changed, and adds its header to the list of images. -1
 * with e. */
int image_before(struct launch *l, const struct launch_config *config,
		 const struct program_kernel *k, struct error *e);
int image_after(struct error *e);
/* Returns the list for the program's summary. */
json_t *image_list(void);

#endif
