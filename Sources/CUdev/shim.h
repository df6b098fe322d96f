// libudev: devices as they come and go.
#pragma once
#include <libudev.h>
