// zlib, which decompresses frames of ID3v2.
#pragma once
#include <zlib.h>
