// ICU: collators, converters and normalization forms. The names of its functions contain the version, which only its
// macros know.
#pragma once
#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <unicode/ucol.h>
#include <unicode/ustring.h>

/// Opens the collator of a locale ("de", or "" for the root). It compares numbers by value. If there is no ICU data,
/// returns NULL.
static inline UCollator *segue_ucol_open(const char *locale) {
  UErrorCode code = U_ZERO_ERROR;
  UCollator *collator = ucol_open(locale, &code);
  if (U_FAILURE(code)) return NULL;
  ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &code);
  return collator;
}

/// Returns the locale whose rules a collator uses. Keys are comparable if they have the same locale and version.
static inline const char *segue_ucol_locale(const UCollator *collator) {
  UErrorCode code = U_ZERO_ERROR;
  const char *name = ucol_getLocaleByType(collator, ULOC_ACTUAL_LOCALE, &code);
  return name ? name : "";
}

static inline uint32_t segue_ucol_version(const UCollator *collator) {
  UVersionInfo version;
  ucol_getVersion(collator, version);
  return (uint32_t)version[0] << 24 | (uint32_t)version[1] << 16 | (uint32_t)version[2] << 8 | version[3];
}

/// Writes up to `capacity` bytes of a sort key. Returns the size of the whole key.
static inline int32_t segue_ucol_key(
    const UCollator *collator, const UChar *text, int32_t count, uint8_t *key, int32_t capacity) {
  return ucol_getSortKey(collator, text, count, key, capacity);
}

/// Converts bytes in a charset to UTF-8. Returns the number of bytes; -1 if the bytes are not valid in that charset.
static inline int32_t segue_ucnv_to_utf8(
    const char *charset, const char *bytes, int32_t count, char *target, int32_t capacity) {
  UErrorCode code = U_ZERO_ERROR;
  UConverter *source = ucnv_open(charset, &code);
  UConverter *utf8 = ucnv_open("UTF-8", &code);
  int32_t written = -1;
  if (U_SUCCESS(code)) {
    ucnv_setToUCallBack(source, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &code);
    const char *end = bytes + count;
    char *at = target;
    UChar pivot[256], *from = pivot, *to = pivot;
    ucnv_convertEx(
        utf8, source, &at, target + capacity, &bytes, end, pivot, &from, &to, pivot + 256, 1, 1, &code);
    if (U_SUCCESS(code)) written = (int32_t)(at - target);
  }
  ucnv_close(source);
  ucnv_close(utf8);
  return written;
}

static inline void segue_ucol_close(UCollator *collator) { ucol_close(collator); }
