/** An address without quotes, comments and lists, which mail servers read in different ways. */
const MAIL_ADDRESS = /^[^\s@"<>()[\]\\,:;]{1,64}@[^\s@"<>()[\]\\,:;]{1,255}$/;

/** Whether mail can be sent to, or from, an address. */
export const isMailAddress = (text: string): boolean => MAIL_ADDRESS.test(text);

/** The only parameter of a mail server's URL, and its only value. */
const TLS_PARAMETER = 'tls';
const TLS_OPTIONAL = 'optional';

/** Whether a mail server may receive mail without encryption. */
export const isTlsOptional = ({ searchParams }: URL): boolean => searchParams.get(TLS_PARAMETER) === TLS_OPTIONAL;

/** Returns an error message without the URL, which may contain a password, or undefined. */
export function mailServerUrlError(text: string): string | undefined {
  const { hostname, pathname, search, hash } = new URL(text);
  if (hostname === '') return 'must contain a host';
  const isPlain = (pathname === '' || pathname === '/') && hash === '';
  const hasKnownParameter = search === '' || search === `?${TLS_PARAMETER}=${TLS_OPTIONAL}`;
  return isPlain && hasKnownParameter
    ? undefined
    : `must have no path, and no parameter but ${TLS_PARAMETER}=${TLS_OPTIONAL}`;
}
