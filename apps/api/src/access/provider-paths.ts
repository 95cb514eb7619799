/** Where the browser goes to sign in with a provider. */
export const startPath = (providerId: number): string => `/auth/oidc/${providerId}/start`;

/** Where it goes to sign in again, to confirm its session; then it returns to a path of the service. */
export const confirmationPath = (providerId: number, returnTo: unknown): string =>
  `${startPath(providerId)}?${new URLSearchParams({ confirm: 'true', return_to: ownPath(returnTo) })}`;

const HOST = 'http://own.invalid';

/**
 * A path of the service, with its query and fragment; `/` for anything else. Browsers read `//host` and `/\host` as
 * another host, and ignore tabs and line breaks, so the text is parsed the way they do it.
 */
export function ownPath(text: unknown): string {
  if (typeof text !== 'string' || !text.startsWith('/') || !URL.canParse(text, HOST)) return '/';
  const { origin, pathname, search, hash } = new URL(text, HOST);
  return origin === HOST && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
