// libavformat keeps the tags of a file in dictionaries of libavutil. It searches a dictionary from the beginning for every
// entry that it adds, and copies a value whenever it appends to it: 16 MB of comments took 26 seconds, in which nothing was
// decoded. The dynamic linker finds the functions in this file before those of libavutil, because it searches the program
// first (ld.so(8)). They drop entries beyond the limits, and all entries once the budget for searching and copying is spent.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libavutil/dict.h>
#include <libavutil/mem.h>
#include <string.h>

#include "CDictionary.h"

enum {
  maximum_entries = 1024,
  // The maximum size, in bytes, of a value to which others are appended.
  maximum_appended = 16 * 1024,
  // The budget in entries compared and bytes copied. A thousand comments of a file cost three million. The whole budget
  // takes about 50 ms.
  maximum_budget = 4 * 1024 * 1024,
  budget_per_packet = 4096,
};

typedef AVDictionaryEntry *get_function(const AVDictionary *, const char *, const AVDictionaryEntry *, int);
typedef int set_function(AVDictionary **, const char *, const char *, int);

static get_function *get_in_libavutil;
static set_function *set_in_libavutil;

// The remaining budget. A worker has one thread.
static int budget = maximum_budget;

// Runs before the sandbox is in effect, in which no library can be searched.
__attribute__((constructor)) static void find_libavutil(void) {
  get_in_libavutil = (get_function *)dlsym(RTLD_NEXT, "av_dict_get");
  set_in_libavutil = (set_function *)dlsym(RTLD_NEXT, "av_dict_set");
}

void segue_reset_dictionary_budget(void) { budget = maximum_budget; }

void segue_refill_dictionary_budget(void) {
  budget = budget < maximum_budget - budget_per_packet ? budget + budget_per_packet : maximum_budget;
}

// Spends `count` of the budget, or all of it if less is left. Returns whether there was enough.
static int spend(size_t count) {
  const int is_enough = count <= (size_t)budget;
  budget = is_enough ? budget - (int)count : 0;
  return is_enough;
}

AVDictionaryEntry *av_dict_get(
    const AVDictionary *dictionary, const char *key, const AVDictionaryEntry *previous, int flags) {
  // An empty key matches the next entry. Callers use it to iterate, which costs nothing.
  const int is_search = key && *key;
  if (is_search && !spend((size_t)av_dict_count(dictionary))) return NULL;
  return get_in_libavutil(dictionary, key, previous, flags);
}

// Returns whether an entry must not be added.
static int is_refused(const AVDictionary *dictionary, const char *key, int flags) {
  const int count = av_dict_count(dictionary);
  if (count >= maximum_entries) return 1;
  // With this flag, the entry is appended without a search.
  if (flags & AV_DICT_MULTIKEY) return 0;
  if (!spend((size_t)count)) return 1;
  if (!(flags & AV_DICT_APPEND)) return 0;
  const AVDictionaryEntry *entry = get_in_libavutil(dictionary, key, NULL, flags & AV_DICT_MATCH_CASE);
  if (!entry) return 0;
  const size_t length = strlen(entry->value);
  return length >= maximum_appended || !spend(length);
}

int av_dict_set(AVDictionary **dictionary, const char *key, const char *value, int flags) {
  // A null value removes an entry.
  if (!key || !value || !is_refused(*dictionary, key, flags)) return set_in_libavutil(dictionary, key, value, flags);
  // With these flags, the function owns the strings.
  if (flags & AV_DICT_DONT_STRDUP_KEY) av_free((void *)key);
  if (flags & AV_DICT_DONT_STRDUP_VAL) av_free((void *)value);
  return 0;
}
