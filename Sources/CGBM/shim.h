// libgbm: scan-out buffers for interface layers, if the card has a GPU.
#pragma once
#include <gbm.h>
