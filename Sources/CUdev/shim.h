// libudev: device hot-plug.
#pragma once
#include <libudev.h>
