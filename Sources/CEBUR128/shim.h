// libebur128, which measures loudness.
#pragma once
#include <ebur128.h>
