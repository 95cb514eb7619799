/** The hash of the test password `correct horse battery staple` by releases before Argon2id. */
export const SCRYPT_HASH = '$scrypt$ln=15,r=8,p=1$lwafz-4S3aM2-x5oFOojoQ$uK-HqZZpad56fxuH3Wu0gkgubiW-Ta6Ftedx3I6DqCQ';
