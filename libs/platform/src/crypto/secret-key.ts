/**
 * The deployment's secret key.
 *
 * @param configuration must have `SECRET_KEY`, which `openDeployment` ensures
 * @returns the key
 * @throws Error if it is missing, so that nothing is ever sealed or signed with an empty key
 */
export function assertSecretKey({ secretKey }: { readonly secretKey: string | undefined }): string {
  if (secretKey === undefined) throw new Error('SECRET_KEY must be set.');
  return secretKey;
}
