// libmicrohttpd. Its functions with variable arguments are not visible to Swift, and the names of its constants there depend on
// its version.
#pragma once
#include <microhttpd.h>
#include <stdbool.h>
#include <string.h>

/// The functions that a server calls, all of them within MHD_run.
struct segue_http_callbacks {
  MHD_AccessHandlerCallback request;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  void *context;
};

struct segue_http_limits {
  unsigned connections;
  unsigned connections_of_address;
  /// Seconds without a byte after which a connection is closed.
  unsigned idle;
  /// Bytes for the header of a request and for what is read at once.
  size_t memory;
};

/// Leaves the path of a request as it was sent.
static inline size_t segue_http_keep(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

/// Starts a server for the listening socket, which it closes at its end. It runs only within MHD_run. `certificate` and `key`
/// are in the format PEM and have to outlive the server; NULL: the server has no TLS.
static inline struct MHD_Daemon *segue_http_start(
    int listening, struct segue_http_callbacks callbacks, struct segue_http_limits limits, const char *certificate,
    const char *key) {
  unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (key == NULL ? 0 : MHD_USE_TLS);
  return MHD_start_daemon(
      flags, 0, NULL, NULL, callbacks.request, callbacks.context, MHD_OPTION_LISTEN_SOCKET, listening,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks.completed, callbacks.context, MHD_OPTION_NOTIFY_CONNECTION,
      callbacks.connection, callbacks.context, MHD_OPTION_UNESCAPE_CALLBACK, segue_http_keep, NULL,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
      limits.connections_of_address, MHD_OPTION_CONNECTION_TIMEOUT, limits.idle, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      limits.memory, MHD_OPTION_STRICT_FOR_CLIENT, 1, key == NULL ? MHD_OPTION_END : MHD_OPTION_HTTPS_MEM_KEY, key,
      MHD_OPTION_HTTPS_MEM_CERT, certificate, MHD_OPTION_HTTPS_PRIORITIES,
      "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2", MHD_OPTION_END);
}

/// The descriptor that is readable when the server has something to do; -1 on failure.
static inline int segue_http_descriptor(struct MHD_Daemon *server) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(server, MHD_DAEMON_INFO_EPOLL_FD);
  return info == NULL ? -1 : info->epoll_fd;
}

/// The socket of a connection; -1 on failure.
static inline int segue_http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/// The address of the client; NULL on failure.
static inline const struct sockaddr *segue_http_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info == NULL ? NULL : info->client_addr;
}

/// The time in milliseconds after which the server has something to do; -1 if it only waits for its descriptor.
static inline int64_t segue_http_timeout(struct MHD_Daemon *server) {
  MHD_UNSIGNED_LONG_LONG timeout;
  return MHD_get_timeout(server, &timeout) == MHD_YES ? (int64_t)timeout : -1;
}

/// Calls `function` for every header of a request.
static inline void segue_http_each_header(
    struct MHD_Connection *connection, MHD_KeyValueIterator function, void *context) {
  MHD_get_connection_values(connection, MHD_HEADER_KIND, function, context);
}

/// Returns a response with bytes, which are copied or outlive it.
static inline struct MHD_Response *segue_http_bytes(const void *bytes, size_t size, bool copies) {
  return MHD_create_response_from_buffer(
      size, (void *)bytes, copies ? MHD_RESPMEM_MUST_COPY : MHD_RESPMEM_PERSISTENT);
}

static inline enum MHD_Result segue_http_result(bool succeeds) { return succeeds ? MHD_YES : MHD_NO; }

/// Whether a connection was opened. Otherwise it is closed.
static inline bool segue_http_is_opened(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

/// What a function that supplies the body of a response returns at its end.
static inline ssize_t segue_http_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
