// Connects to a port of this machine as the device would to a host: main PORT HOST [unset].
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include "tls_client.h"

static bool is_set = true;
bool clock_is_set(void) { return is_set; }

int main(int count, char **arguments) {
  is_set = count < 4;
  int number = socket(AF_INET, SOCK_STREAM, 0);
  struct timeval seconds = {.tv_sec = 3};
  setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &seconds, sizeof(seconds));
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(arguments[1]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(number, (struct sockaddr *) &address, sizeof(address)) != 0) return 3;
  struct tls_connection tls;
  int error = tls_open(&tls, (Socket_t) (intptr_t) number, arguments[2]);
  printf("%d\n", error);
  if (error != 0) return 1;
  unsigned char answer[64];
  const char *request = "GET / HTTP/1.0\r\n\r\n";
  if (mbedtls_ssl_write(&tls.ssl, (const unsigned char *) request, strlen(request)) <= 0) return 2;
  int length;
  do length = mbedtls_ssl_read(&tls.ssl, answer, sizeof(answer) - 1);
  while (length == MBEDTLS_ERR_SSL_WANT_READ || length == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET);
  tls_close(&tls);
  close(number);
  return length > 0 && memcmp(answer, "HTTP/1.0 200", 12) == 0 ? 0 : 2;
}
