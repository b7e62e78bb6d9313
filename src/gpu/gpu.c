#include "store.h"
int main(void) { for (size_t i = 0; i < store_count; i++) printf("%s %zu\n", store_table[i].name, store_table[i].text_length); return 0; }
