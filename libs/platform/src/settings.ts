import { z } from 'zod';

import { limitSettings } from './limit-settings.js';
import { isMailAddress, mailServerUrlError } from './mail/mail-settings.js';
import { telemetrySettings } from './telemetry/telemetry-settings.js';
import { storageUrlError } from './storage/storage-url.js';
import { boolean, hostEntry, integer, isTimeZone, list, numbers, oneOf, originEntry, proxyEntry } from './setting.js';
import { secret, text, url, webAddress } from './setting.js';

/**
 * Every environment variable that the product reads. The configuration's type and `.env.example` are derived from it.
 */
export const settings = z.object({
  PORT: integer({ default: 3000, min: 1, max: 65_535, about: 'TCP port of the API.' }),
  HOST: text({
    default: '127.0.0.1',
    form: 'a host name or address without a port',
    about: 'Address that the API and the worker listen on. Containers set 0.0.0.0.',
    matches: (value) => !/[\s/]/.test(value),
  }),
  DATA_DIR: text({
    default: '.data',
    form: 'a path',
    about: 'Folder of everything that the deployment stores: embedded PostgreSQL, generated secrets, files, logs.',
    matches: (value) => !value.includes('\0'),
  }),
  DATABASE_URL: url({
    schemes: ['postgres', 'postgresql'],
    about: 'PostgreSQL server to use; it requires SECRET_KEY. Unset: an embedded server runs in DATA_DIR.',
  }),
  DATABASE_OWNER_URL: url({
    schemes: ['postgres', 'postgresql'],
    about:
      'The same database as DATABASE_URL, with the role that owns it: only for `admin` commands, never for the API ' +
      'and workers. Unset: DATABASE_URL.',
  }),
  DATABASE_READ_URL: url({
    schemes: ['postgres', 'postgresql'],
    about: 'A replica that reports and exports read from; it may lag.',
  }),
  DATABASE_POOL_SIZE: integer({
    default: 20,
    min: 1,
    max: 1000,
    about: 'Maximum number of database connections of one process.',
  }),
  DATABASE_PREPARED_STATEMENTS: boolean({
    default: true,
    about:
      'Use prepared statements for frequent queries. Set it to false behind a pooler that does not support them ' +
      '(PgBouncer before 1.21).',
  }),
  DATABASE_ON_THIS_MACHINE: boolean({
    default: false,
    about:
      'The PostgreSQL server runs on this machine and as this user: its processes that serve jobs, reports and ' +
      'unpaged lists get a lower priority. `npm start` sets it for the embedded server.',
  }),
  STATEMENT_TIMEOUT_SECONDS: integer({
    default: 60,
    min: 1,
    max: 3600,
    about: 'Maximum duration of one database statement of the API.',
  }),
  REDIS_URL: url({
    schemes: ['redis', 'rediss'],
    about: 'Redis or Valkey that wakes the workers. Unset: PostgreSQL does.',
  }),
  PUBLIC_URL: webAddress({
    about: 'Public address of the service, for absolute links. Unset: taken from each request.',
  }),
  SECRET_KEY: secret({
    min: 32,
    about: 'Key that encrypts stored credentials. Without DATABASE_URL, one is generated and stored in DATA_DIR.',
  }),
  SECRET_KEY_PREVIOUS: secret({
    min: 32,
    about: 'The previous SECRET_KEY, which still decrypts credentials during a key rotation.',
  }),
  ADMIN_EMAIL: text({
    default: 'admin@example.com',
    form: 'an e-mail address',
    about: 'E-mail of the first super-user.',
    matches: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  }),
  ADMIN_TOKEN: secret({
    min: 32,
    header: true,
    about: 'API token of the first super-user. `admin setup` requires it with DATABASE_URL; otherwise, unset: random.',
  }),
  // Password rules are only checked by the first setup: a password that an earlier release accepted must not prevent a
  // start.
  ADMIN_PASSWORD: secret({
    min: 12,
    about:
      'Password of the first super-user, for the endpoints that create tokens. The first start checks it: at least ' +
      '15 characters, and not a common password. Unset: the user has no password.',
  }),
  TIME_ZONE: text({
    default: 'UTC',
    form: 'the IANA name of a time zone, such as UTC or Europe/Berlin',
    about: 'Time zone of the timestamps in responses, and of filters without an offset.',
    matches: isTimeZone,
  }),
  CONNECTION_ALLOW_PRIVATE: boolean({
    default: false,
    about: 'Lets connection tests reach private and loopback addresses, for tools in your own network.',
  }),
  CONNECTION_TIMEOUT_SECONDS: integer({
    default: 10,
    min: 1,
    max: 60,
    about: 'Time limit of a connection test, in seconds.',
  }),
  WEBHOOK_HOSTS: list({
    default: 'hooks.slack.com,hooks.slack-gov.com',
    form: 'a comma-separated list of host or host:port',
    about: 'Hosts that webhooks of the format slack may be sent to. Without a port, an entry means 443.',
    entry: hostEntry,
  }),
  WEBHOOK_ALLOW_PRIVATE: boolean({
    default: false,
    about: 'Lets webhooks reach private and loopback addresses, for receivers in your own network.',
  }),
  WEBHOOK_PACE_MILLISECONDS: integer({
    default: 1000,
    min: 0,
    max: 60_000,
    about: 'Minimum time between two messages of one webhook. Chat services accept one per second.',
  }),
  WEBHOOK_TIMEOUT_SECONDS: integer({
    default: 10,
    min: 1,
    max: 60,
    about: 'Time limit of a request to a chat service, in seconds.',
  }),
  WEBHOOK_RETRY_SECONDS: numbers({
    default: '5,30,120,600,3600,21600,43200',
    min: 0,
    max: 604_800,
    about: 'Seconds before each retry of a failed message, each ± 20 %. After the last retry, the delivery has failed.',
  }),
  WEBHOOK_DISABLE_AFTER_SECONDS: integer({
    default: 86_400,
    min: 1,
    max: 2_592_000,
    about: 'A webhook is disabled when all deliveries have failed for this long.',
  }),
  STORAGE_URL: url({
    schemes: ['s3', 'file'],
    about:
      'Where exported and uploaded files are stored: file:///folder, or a bucket of an S3-compatible service, ' +
      's3://key:secret@host:port/bucket/prefix?region=eu-west-1&tls=true. Unset: below DATA_DIR.',
    check: storageUrlError,
  }),
  EXPORT_RETENTION_HOURS: integer({
    default: 24,
    min: 1,
    max: 8760,
    about: 'Hours for which a finished export can be downloaded.',
  }),
  ...limitSettings,
  CUBE_API_URL: webAddress({
    about:
      "Address of a Cube deployment's API that runs reports, such as https://cube.example.com/cubejs-api. Unset: " +
      'PostgreSQL does.',
  }),
  CUBE_API_SECRET: secret({
    min: 32,
    about: 'CUBEJS_API_SECRET of that deployment.',
  }),
  REPORT_POOL_SIZE: integer({
    default: 4,
    min: 1,
    max: 100,
    about: 'Maximum number of reports that one API process runs at once. One organization gets at most half.',
  }),
  REPORT_TIMEOUT_SECONDS: integer({
    default: 30,
    min: 1,
    max: 3600,
    about: 'Maximum duration of a report.',
  }),
  CORS_ORIGINS: list({
    form: 'a comma-separated list of origins such as https://app.example.com',
    about: 'Origins whose pages may call the API from a browser. Unset: none.',
    entry: originEntry,
  }),
  MARKDOWN_IMAGE_HOSTS: list({
    form: 'a comma-separated list of host or host:port',
    about:
      'Hosts from which rendered texts load images, over https. Without a port, an entry means 443. Images of ' +
      'other hosts become links. Unset: none.',
    entry: hostEntry,
  }),
  TRUSTED_PROXIES: list({
    form: 'a comma-separated list of addresses, CIDRs, loopback, linklocal or uniquelocal',
    about: 'Proxies whose X-Forwarded-* headers are trusted. Unset: none.',
    entry: proxyEntry,
  }),
  METRICS_TOKEN: secret({
    min: 16,
    header: true,
    about: 'Token that /metrics requires. Unset: only direct requests on the loopback interface may read /metrics.',
  }),
  ...telemetrySettings,
  LOG_LEVEL: oneOf({
    words: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    about: 'Minimum level of the log lines that are written.',
  }),
  SHUTDOWN_GRACE_SECONDS: integer({
    default: 30,
    min: 1,
    max: 600,
    about: 'Seconds that running requests and jobs have to finish after SIGTERM.',
  }),
  AUTHENTICATION_CACHE_MILLISECONDS: integer({
    default: 500,
    min: 0,
    max: 900,
    about: 'How long a process may cache that a token is valid. A revoked token works at most this much longer.',
  }),
  SESSION_IDLE_HOURS: integer({
    default: 12,
    min: 1,
    max: 8760,
    about: 'A session ends when it has not been used for this many hours.',
  }),
  SESSION_MAXIMUM_HOURS: integer({
    default: 168,
    min: 1,
    max: 8760,
    about: 'A session ends this many hours after the sign-in, even if it is in use.',
  }),
  SIGN_IN_ALLOW_PRIVATE: boolean({
    default: false,
    about: 'Lets sign-ins reach identity providers at private and loopback addresses, for one in your own network.',
  }),
  SIGN_IN_TIMEOUT_SECONDS: integer({
    default: 10,
    min: 1,
    max: 60,
    about: 'Time limit of a request to an identity provider, in seconds.',
  }),
  SMTP_URL: url({
    schemes: ['smtp', 'smtps'],
    about:
      'Mail server that sends invitations: smtps://user:password@host:465, or smtp://user:password@host:587 with ' +
      'STARTTLS. ?tls=optional allows a relay in your own network without it. It requires MAIL_FROM. Unset: no mail.',
    check: mailServerUrlError,
  }),
  MAIL_FROM: text({
    default: '',
    form: 'an e-mail address',
    about: 'Sender of the mail.',
    matches: (value) => value === '' || isMailAddress(value),
  }),
  MAIL_TIMEOUT_SECONDS: integer({
    default: 10,
    min: 1,
    max: 60,
    about: 'Time limit of sending a mail, in seconds.',
  }),
  WORKER_PORT: integer({
    default: 3001,
    min: 0,
    max: 65_535,
    about: "TCP port of the worker's own /healthz, /readyz and /metrics. 0: off.",
  }),
});
