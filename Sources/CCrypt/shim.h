// libxcrypt, which hashes passwords.
#pragma once
#include <crypt.h>
