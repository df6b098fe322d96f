// The GNU extensions are asked for here only: seen from Swift they would clash with Glibc's own module.
#define _GNU_SOURCE
#include "CLinux.h"

void marquee_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
