/* The older interface has other functions; what both have, cublas_v2.h has. */
#include "cublas_v2.h"
