// zlib, which compressed frames of ID3v2 need.
#pragma once
#include <zlib.h>
