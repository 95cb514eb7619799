/**
 * Headers of pictures and files: opened as a page, they run no scripts, load nothing, and can't be framed. SVG needs
 * inline styles.
 */
export const FILE_SECURITY = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
} as const;
