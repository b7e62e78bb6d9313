/*
 * load_order: the loads of one expression in the order in which nvcc does them,
 * which is that of C++17: operands and arguments from the left to the right, an
 * index before what it selects, and the right side of an assignment before its
 * left. g++ does arguments from the right, and has its own order for two loads
 * whose order C++ leaves open.
 *
 * Loads change places only with loads: within a basic block, never across a
 * store, an atomic or volatile access, a barrier or a call of a function with a
 * text. No value depends on their order.
 */
#ifndef EMU_LOAD_ORDER_H
#define EMU_LOAD_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access_site;
struct thread;
struct warp_step;

/* Returns whether the compiler does this load a second time: in a[x[i]] += 1 it
 * reads the index for the load and again for the store of a[], where other
 * compilers keep it. */
bool load_order_again(const struct access_site *s);
/* Takes in the events that are new since the last call. Call before events are
 * put in order. False: the text is not known. */
bool load_order_know(void);
/* Puts a thread's loads in order, before they are written. */
void load_order_thread(struct thread *t);
/* Returns a thread's accesses in the order that load_order_thread() would give
 * them, and their number in *count. Valid until the next call. */
const struct warp_step *load_order_steps(const struct thread *t, size_t *count);
/* Drops the text and what is known of it: another text or another launch's
 * slots come. */
void load_order_reset(void);

#endif
