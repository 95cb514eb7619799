#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static int is(const char *what) {
  const char *mode = getenv("DECODER");
  return mode && !strcmp(mode, what);
}

void *decoder_new(void) { return is("null") ? NULL : malloc(16); }

void decoder_free(void *decoder) { free(decoder); }

ssize_t decoder_run(void *decoder, const uint8_t *input, size_t input_len, uint8_t *output, size_t output_len) {
  (void)decoder;
  if (is("lie")) return (ssize_t)output_len + 1;
  if (input_len > output_len) return -1;
  for (size_t i = 0; i < input_len; i++) output[i] = input[input_len - 1 - i];
  return (ssize_t)input_len;
}
