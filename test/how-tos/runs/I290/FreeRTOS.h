// What tls_client.c uses of FreeRTOS, on top of POSIX.
#pragma once
typedef long BaseType_t;
#define pdFREERTOS_ERRNO_EWOULDBLOCK 11
