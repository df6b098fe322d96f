// Zstandard (RFC 8878).
#pragma once
#include <zstd.h>
