// libssl (OpenSSL): TLS of the local page; certificates by libcrypto.
#pragma once
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdint.h>

// Swift does not see these macros.
static const uint64_t ctls_options = SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION;
