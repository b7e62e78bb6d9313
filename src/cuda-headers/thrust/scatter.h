#include "../gemmviz_thrust.h"
