// A seam between the libraries of this process and the kernel: ioctl(2) and mmap(2) of chosen descriptors go to a test.
#pragma once
#include <stdbool.h>

/// Answers one ioctl(2). Any thread. Returns 0 or more, or a negative errno.
typedef int (*kernel_seam_handler)(void *context, unsigned long request, void *argument);

/// From now on every descriptor of this file goes to the handler, and mappings of it are mappings of `memory`.
/// Returns false when too many files are claimed.
bool kernel_seam_claim(int descriptor, int memory, kernel_seam_handler handler, void *context);

/// The file goes to the kernel again. No call of the handler may be under way.
void kernel_seam_release(int descriptor);
