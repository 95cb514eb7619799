import { readStorageUrl, storageUrlError } from './storage-url.js';

test('an S3 URL contains the bucket in its host and path, and the keys in its user and password', () => {
  expect(readStorageUrl('s3://key:a%2Fb%2Bc@minio.local:9000/files/merlon/prod?region=eu-1&tls=false')).toEqual({
    bucket: {
      name: 'files',
      region: 'eu-1',
      endpoint: 'http://minio.local:9000',
      credentials: { accessKeyId: 'key', secretAccessKey: 'a/b+c' },
      prefix: 'merlon/prod/',
    },
  });
});

test('an S3 URL without keys, region or tls means no credentials, us-east-1 and TLS', () => {
  expect(readStorageUrl('s3://s3.amazonaws.com/files')).toEqual({
    bucket: { name: 'files', region: 'us-east-1', endpoint: 'https://s3.amazonaws.com', prefix: '' },
  });
});

test.each([
  'file://host/folder',
  's3://host',
  's3:///bucket',
  's3://host/Bucket',
  's3://host/bucket?tls=maybe',
  's3://host/bucket?acl=public',
  's3://key@host/bucket',
  's3://key:%zz@host/bucket',
])('%s is not a valid storage URL', (url) => {
  expect(storageUrlError(url)).toMatch(/^must /);
});
