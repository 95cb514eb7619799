// The two calls of FreeRTOS+TCP that tls_client.c uses, on a socket of POSIX: bytes, 0 after a time-out, or an error.
#pragma once
#include <errno.h>
#include <stdint.h>
#include <sys/socket.h>
typedef void *Socket_t;
static inline BaseType_t FreeRTOS_send(Socket_t socket, const void *data, size_t length, BaseType_t flags) {
  ssize_t sent = send((int) (intptr_t) socket, data, length, (int) flags | MSG_NOSIGNAL);
  return sent > 0 ? sent : -(BaseType_t) errno;
}
static inline BaseType_t FreeRTOS_recv(Socket_t socket, void *data, size_t length, BaseType_t flags) {
  ssize_t received = recv((int) (intptr_t) socket, data, length, (int) flags);
  if (received < 0 && errno == EAGAIN) return 0;
  return received > 0 ? received : -(BaseType_t) ENOTCONN;
}
