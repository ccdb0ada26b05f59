// Jansson, the JSON reader. Its inline reference counting and flag macros are given plain names.
#pragma once
#include <jansson.h>

static inline void segue_json_decref(json_t *value) { json_decref(value); }
static inline int segue_json_typeof(const json_t *value) { return (int)json_typeof(value); }
static const size_t segue_json_load_flags = JSON_DECODE_ANY | JSON_ALLOW_NUL;
