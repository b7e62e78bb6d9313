#include "../../gemmviz_cub.h"
#include "../../gemmviz_cub_device.h"
