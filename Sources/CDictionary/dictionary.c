// libavformat keeps the tags of a file in dictionaries of libavutil, which are searched from the beginning for every
// entry that is added, and copies a value whenever something is appended to it: 16 MB of comments took 26 seconds, in
// which nothing was decoded. The functions here are found before libavutil's (ld.so(8) looks into the program first).
// They drop what no file needs, and what is left once searching and copying have cost too much.
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
  // In entries compared and bytes copied. A thousand comments of a file cost three million; this takes some 50 ms.
  most_steps = 4 * 1024 * 1024,
  steps_per_packet = 4096,
};

typedef AVDictionaryEntry *get_function(const AVDictionary *, const char *, const AVDictionaryEntry *, int);
typedef int set_function(AVDictionary **, const char *, const char *, int);

static get_function *get_in_libavutil;
static set_function *set_in_libavutil;

// The steps that are left. A worker has one thread.
static int steps = most_steps;

// Before the sandbox is closed, in which no library is looked for.
__attribute__((constructor)) static void find_libavutil(void) {
  get_in_libavutil = (get_function *)dlsym(RTLD_NEXT, "av_dict_get");
  set_in_libavutil = (set_function *)dlsym(RTLD_NEXT, "av_dict_set");
}

void segue_reset_dictionary_budget(void) { steps = most_steps; }

void segue_refill_dictionary_budget(void) {
  steps = steps < most_steps - steps_per_packet ? steps + steps_per_packet : most_steps;
}

// Takes `count` steps, or all if fewer are left. Returns whether there were so many.
static int take(size_t count) {
  const int is_enough = count <= (size_t)steps;
  steps = is_enough ? steps - (int)count : 0;
  return is_enough;
}

AVDictionaryEntry *av_dict_get(
    const AVDictionary *dictionary, const char *key, const AVDictionaryEntry *previous, int flags) {
  // An empty key matches the next entry at once: so all entries are read, one after the other.
  const int is_search = key && *key;
  if (is_search && !take((size_t)av_dict_count(dictionary))) return NULL;
  return get_in_libavutil(dictionary, key, previous, flags);
}

// Whether an entry is not to be added.
static int is_refused(const AVDictionary *dictionary, const char *key, int flags) {
  const int count = av_dict_count(dictionary);
  if (count >= most_entries) return 1;
  // Without a search, an entry is put behind all others.
  if (flags & AV_DICT_MULTIKEY) return 0;
  if (!take((size_t)count)) return 1;
  if (!(flags & AV_DICT_APPEND)) return 0;
  const AVDictionaryEntry *entry = get_in_libavutil(dictionary, key, NULL, flags & AV_DICT_MATCH_CASE);
  if (!entry) return 0;
  const size_t length = strlen(entry->value);
  return length >= longest_appended || !take(length);
}

int av_dict_set(AVDictionary **dictionary, const char *key, const char *value, int flags) {
  // Without a value, an entry is removed.
  if (!key || !value || !is_refused(*dictionary, key, flags)) return set_in_libavutil(dictionary, key, value, flags);
  // With these flags, the caller has given them away.
  if (flags & AV_DICT_DONT_STRDUP_KEY) av_free((void *)key);
  if (flags & AV_DICT_DONT_STRDUP_VAL) av_free((void *)value);
  return 0;
}
