// uchardet: the encoding of a text, from its bytes.
#pragma once
#include <uchardet/uchardet.h>
