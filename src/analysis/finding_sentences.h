/*
 * finding_sentences: a sentence for each cause, N_(), with names in braces
 * where the finding's members go. Another language puts them where it likes.
 */
#ifndef ANALYSIS_FINDING_SENTENCES_H
#define ANALYSIS_FINDING_SENTENCES_H

#include "trace/finding.h"

extern const char *const finding_sentences[CAUSE_COUNT];

#endif
