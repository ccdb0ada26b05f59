// libutf8proc, which normalizes Unicode text and knows the widths of characters.
#pragma once
#include <utf8proc.h>
