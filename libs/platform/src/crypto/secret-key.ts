/**
 * The installation's secret key.
 *
 * @param configuration has `SECRET_KEY`, as `openInstallation` sees to
 * @returns the key
 * @throws where it is missing: nothing is ever sealed or signed with an empty one
 */
export function assertSecretKey({ secretKey }: { readonly secretKey: string | undefined }): string {
  if (secretKey === undefined) throw new Error('SECRET_KEY must be set.');
  return secretKey;
}
