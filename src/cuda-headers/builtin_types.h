/* What programs want of it, cuda_words.h has: that is included already. */
