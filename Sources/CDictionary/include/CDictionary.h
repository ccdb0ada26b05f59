// Nothing is called by name: the definition in dictionary.c takes the place of libavutil's.
#pragma once
