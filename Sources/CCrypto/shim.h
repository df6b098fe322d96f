// libcrypto (OpenSSL): AES-128 of encrypted segments, AES-256 and checksums of the store, Ed25519 of feeds and its keys in PEM.
#pragma once
#include <openssl/evp.h>
#include <openssl/pem.h>
