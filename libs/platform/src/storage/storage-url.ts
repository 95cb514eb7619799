import { fileURLToPath } from 'node:url';
import type { Bucket } from './bucket-storage.js';

/** The parsed `STORAGE_URL`, or an error that continues a sentence beginning with the setting's name. */
export type StorageLocation = { readonly folder: string } | { readonly bucket: Bucket } | { readonly error: string };

const DEFAULT_REGION = 'us-east-1';

/**
 * Parses `STORAGE_URL`: `file:///folder` or `s3://key:secret@host:port/bucket/prefix?region=…&tls=false`. Key and
 * secret are percent-encoded; without them the role of the machine is used. Errors never quote the URL, since it may
 * contain a secret.
 */
export function readStorageUrl(text: string): StorageLocation {
  const url = new URL(text);
  if (url.protocol === 'file:')
    return url.host === '' && url.search === ''
      ? { folder: fileURLToPath(url) }
      : { error: 'must be a path such as file:///srv/files' };

  const unknown = [...url.searchParams.keys()].filter((name) => name !== 'region' && name !== 'tls');
  if (unknown.length) return { error: 'must not have parameters other than region and tls' };
  const tls = url.searchParams.get('tls') ?? 'true';
  if (tls !== 'true' && tls !== 'false') return { error: 'must have tls=true or tls=false' };
  const [name = '', ...folders] = url.pathname.split('/').filter((part) => part !== '');
  if (url.host === '' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) || !folders.every(isFolder))
    return { error: 'must name a host and a bucket, such as s3://key:secret@s3.example.com/bucket' };
  if ((url.username === '') !== (url.password === '')) return { error: 'must have a key and a secret, or neither' };
  return {
    bucket: {
      name,
      region: url.searchParams.get('region') ?? DEFAULT_REGION,
      endpoint: `${tls === 'true' ? 'https' : 'http'}://${url.host}`,
      ...(url.username !== '' && {
        credentials: {
          accessKeyId: decodeURIComponent(url.username),
          secretAccessKey: decodeURIComponent(url.password),
        },
      }),
      prefix: folders.map((folder) => `${folder}/`).join(''),
    },
  };
}

const isFolder = (text: string): boolean => /^[A-Za-z0-9._-]+$/.test(text);

/** Returns an error message, or undefined for a valid `STORAGE_URL`. */
export function storageUrlError(text: string): string | undefined {
  try {
    const location = readStorageUrl(text);
    return 'error' in location ? location.error : undefined;
  } catch {
    return 'must be percent-encoded, except for its separators';
  }
}
