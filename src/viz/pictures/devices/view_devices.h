/* view_devices: what the files of this picture share. */
#ifndef VIZ_PICTURES_DEVICES_VIEW_DEVICES_H
#define VIZ_PICTURES_DEVICES_VIEW_DEVICES_H

#include "viz/frame_model.h"

/* The colours of what travels along a row of devices, along a column, to or
 * from the host, and of what runs. */
#define DEVICES_ALONG_ROW ROLE_HUE1
#define DEVICES_ALONG_COLUMN ROLE_HUE2
#define DEVICES_HOST ROLE_HUE3
#define DEVICES_RUNS ROLE_HUE0

/* Adds a sentence for each kind of work in the turn. */
void devices_words(struct str *out, const struct scene_devices *d);
/* Draws a lane for each device, whose columns are turns, and below them the
 * totals of the turns so far. */
void devices_lanes(struct canvas *c, struct rect r, const struct frame_model *s);
/* Writes a number of bytes, such as "8.2 kB". */
void devices_bytes(char *buf, size_t size, double bytes);

#endif
