// libcrypto (OpenSSL): AES-128 of encrypted segments, Ed25519 of feeds.
#pragma once
#include <openssl/evp.h>
