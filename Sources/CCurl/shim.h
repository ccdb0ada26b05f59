// libcurl. Its functions with variable arguments, and its macros, are not visible to Swift.
#pragma once
#include <curl/curl.h>

static inline CURLcode segue_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

/// libcurl copies the string.
static inline CURLcode segue_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode segue_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

typedef size_t (*segue_curl_data_function)(char *data, size_t size, size_t count, void *context);

static inline CURLcode segue_curl_set_data_function(CURL *easy, CURLoption option, segue_curl_data_function function) {
  return curl_easy_setopt(easy, option, function);
}

typedef curl_socket_t (*segue_curl_open_function)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode segue_curl_set_open_function(CURL *easy, segue_curl_open_function function, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
  if (code != CURLE_OK) return code;
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

typedef int (*segue_curl_request_function)(
    void *context, char *remote_address, char *local_address, int remote_port, int local_port);

static inline CURLcode segue_curl_set_request_function(CURL *easy, segue_curl_request_function function, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
  if (code != CURLE_OK) return code;
  return curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

static inline long segue_curl_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

/// The string belongs to the handle.
static inline const char *segue_curl_string(CURL *easy, CURLINFO info) {
  char *value = NULL;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

/// The value of the private pointer of a handle.
static inline void *segue_curl_private(CURL *easy) {
  void *value = NULL;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value);
  return value;
}

static inline CURLMcode segue_curl_set_multi_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/// Lets the transfers of a share have their cookies in common. One thread uses it, so that it needs no locks.
static inline CURLSHcode segue_curl_share_cookies(CURLSH *share) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

/// The number of bytes of all cookies that a handle knows.
static inline size_t segue_curl_cookie_size(CURL *easy) {
  struct curl_slist *cookies = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_COOKIELIST, &cookies) != CURLE_OK) return 0;
  size_t size = 0;
  for (struct curl_slist *cookie = cookies; cookie != NULL; cookie = cookie->next) {
    for (const char *text = cookie->data; *text != 0; text++) size++;
  }
  curl_slist_free_all(cookies);
  return size;
}

/// The result of a transfer that has ended.
static inline CURLcode segue_curl_result(const CURLMsg *message) { return message->data.result; }

static inline CURLcode segue_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

static inline const curl_version_info_data *segue_curl_version(void) { return curl_version_info(CURLVERSION_NOW); }
