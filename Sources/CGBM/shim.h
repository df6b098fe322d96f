// libgbm: scan-out buffers for interface layers where the card has a GPU.
#pragma once
#include <gbm.h>
