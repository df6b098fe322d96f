// libyuv: pixel conversion, scaling and blending on the CPU.
#pragma once
#include <libyuv.h>
