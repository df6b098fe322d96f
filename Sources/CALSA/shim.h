// alsa-lib: the sound device.
#pragma once
#include <alsa/asoundlib.h>
