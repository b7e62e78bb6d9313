#define VALUE(x) (2 * (x))
void run(int *to);
