// This header declares no function: the definition in dictionary.c takes the place of libavutil's.
#pragma once
