// GnuTLS: its hash functions. libmicrohttpd uses it for TLS.
#pragma once
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
