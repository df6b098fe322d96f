// GIO: D-Bus. Pango needs it too, so that it is already part of the player.
#pragma once
#include <gio/gio.h>
