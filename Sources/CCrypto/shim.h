// libcrypto (OpenSSL): AES-128 of encrypted segments, Ed25519 of feeds and its keys in PEM.
#pragma once
#include <openssl/evp.h>
#include <openssl/pem.h>
