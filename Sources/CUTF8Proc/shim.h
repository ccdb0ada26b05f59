// libutf8proc, which normalizes Unicode.
#pragma once
#include <utf8proc.h>
