/*
 * load_order: the loads of one expression in the order in which nvcc does them,
 * which is that of C++17: operands and arguments from the left to the right, an
 * index before what it selects, and the right side of an assignment before its
 * left. g++ has arguments from the right, and where nothing tells the order of
 * two loads, its own.
 *
 * Loads change places with loads alone: within a basic block, never across a
 * store, an atomic or volatile access, a barrier or a call of a function with a
 * text. No value depends on their order.
 */
#ifndef EMU_LOAD_ORDER_H
#define EMU_LOAD_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slot;
struct thread;
struct warp_step;

/* Whether the compiler does a load a second time there: it reads the index in
 * a[x[i]] += 1 for the load and for the store of a[], where others keep it. */
bool load_order_again(const struct slot *s);
/* Before events are put in order: knows those that are new since the last
 * time. False: the text is not known. */
bool load_order_know(void);
/* Puts a thread's loads in order, before they are written. */
void load_order_thread(struct thread *t);
/* The order of a thread's accesses, as load_order_thread() would put them; and
 * how many these are. Valid until the next call. */
const struct warp_step *load_order_steps(const struct thread *t, size_t *count);
/* Forgets the text, which is another one now, or another launch's slots. */
void load_order_reset(void);

#endif
