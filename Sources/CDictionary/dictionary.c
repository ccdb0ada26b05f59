// libavformat keeps the tags of a file in dictionaries of libavutil, which are searched from the beginning for every
// entry that is added: 60,000 comments of a few bytes take twenty seconds, in which nothing is decoded. The function
// here is found before libavutil's (ld.so(8) looks into the program first), and drops what no file needs.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libavutil/dict.h>
#include <libavutil/mem.h>
#include <string.h>

#include "CDictionary.h"

enum {
  most_entries = 1024,
  // The longest value, in bytes, to which others are appended.
  longest_appended = 16 * 1024,
};

typedef int set_function(AVDictionary **, const char *, const char *, int);

static set_function *set_in_libavutil;

// Before the sandbox is closed, in which no library is looked for.
__attribute__((constructor)) static void find_libavutil(void) {
  set_in_libavutil = (set_function *)dlsym(RTLD_NEXT, "av_dict_set");
}

static int is_full(const AVDictionary *dictionary, const char *key, int flags) {
  if (av_dict_count(dictionary) >= most_entries) return 1;
  if (!(flags & AV_DICT_APPEND)) return 0;
  const AVDictionaryEntry *entry = av_dict_get(dictionary, key, NULL, flags & AV_DICT_MATCH_CASE);
  return entry && strlen(entry->value) >= longest_appended;
}

int av_dict_set(AVDictionary **dictionary, const char *key, const char *value, int flags) {
  // Without a value, an entry is removed.
  if (!key || !value || !is_full(*dictionary, key, flags)) return set_in_libavutil(dictionary, key, value, flags);
  // With these flags, the caller has given them away.
  if (flags & AV_DICT_DONT_STRDUP_KEY) av_free((void *)key);
  if (flags & AV_DICT_DONT_STRDUP_VAL) av_free((void *)value);
  return 0;
}
