// libdrm: the kernel mode-setting interface.
#pragma once
#include <drm.h>
#include <drm_fourcc.h>
#include <drm_mode.h>
#include <xf86drm.h>
#include <xf86drmMode.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
