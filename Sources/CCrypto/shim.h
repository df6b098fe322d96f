// libcrypto (OpenSSL): AES-128 of encrypted segments.
#pragma once
#include <openssl/evp.h>
