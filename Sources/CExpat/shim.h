// Expat: XML.
#pragma once
#include <expat.h>
