const hex = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * The `Content-Disposition` header of a file to be saved: its name, preceded by an ASCII fallback for older clients
 * (RFC 6266, RFC 8187).
 */
export function attachment(name: string): string {
  const plain = name.replace(/[^ -~]|["\\]/g, '-');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, hex);
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}

/**
 * Headers of pictures and files: opened as a page, they run no scripts, load nothing, and can't be framed. SVG needs
 * inline styles.
 */
export const FILE_SECURITY = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
} as const;
