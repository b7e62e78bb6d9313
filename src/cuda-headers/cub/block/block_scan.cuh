#include "../../gemmviz_cub.h"
