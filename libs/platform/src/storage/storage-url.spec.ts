import { readStorageUrl, storageUrlError } from './storage-url.js';

test('a bucket is named by host and path, its keys by user and password', () => {
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

test('without keys, a region or tls, there are the role of the machine, us-east-1 and TLS', () => {
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
])('%s names no storage', (url) => {
  expect(storageUrlError(url)).toMatch(/^must /);
});
