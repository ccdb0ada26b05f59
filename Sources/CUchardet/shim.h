// uchardet, which guesses the charset of a text.
#pragma once
#include <uchardet/uchardet.h>
