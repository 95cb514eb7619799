import { integer } from './setting.js';

/** Settings that bound what requests, uploads and organizations may use. */
export const limitSettings = {
  MAX_BODY_BYTES: integer({
    default: 5_242_880,
    min: 1024,
    max: 1_073_741_824,
    about: 'Maximum size of a JSON request body, in bytes.',
  }),
  MAX_BODIES_BYTES: integer({
    default: 67_108_864,
    min: 2048,
    max: 1_099_511_627_776,
    about:
      'Bytes of all JSON bodies that one API process reads at once, at least twice MAX_BODY_BYTES; other bodies wait ' +
      'unread, in turn by organization. One organization gets about half.',
  }),
  MAX_COMPOSITE_READ_BYTES: integer({
    default: 33_554_432,
    min: 1024,
    max: 1_073_741_824,
    about: 'Maximum bytes in memory that one composite request reads; a GET beyond that returns 413.',
  }),
  MAX_COMPOSITE_SECONDS: integer({
    default: 60,
    min: 1,
    max: 3600,
    about: 'Maximum duration of one composite request; a part that runs then is interrupted with 422.',
  }),
  MAX_REQUEST_MEMORY_BYTES: integer({
    default: 100_663_296,
    min: 1024,
    max: 17_179_869_184,
    about:
      'Maximum memory, as an estimate, of the results of one report or composite request; beyond that, it gets 413.',
  }),
  MAX_MEMORY_BYTES: integer({
    default: 201_326_592,
    min: 1024,
    max: 1_099_511_627_776,
    about:
      'The same for all requests of one API process together; further ones get 503. ' +
      'One organization gets at most half.',
  }),
  MAX_UPLOAD_BYTES: integer({
    default: 268_435_456,
    min: 1024,
    max: 1_099_511_627_776,
    about: 'Maximum size of an uploaded file, in bytes.',
  }),
  MAX_UPLOADS: integer({
    default: 8,
    min: 1,
    max: 1000,
    about:
      'Files that one API process receives at once; others wait, in turn by organization. With a bucket, each takes ' +
      'up to 32 MiB of memory. One organization gets at most half.',
  }),
  MAX_STORED_UPLOAD_BYTES: integer({
    default: 2_147_483_648,
    min: 1024,
    max: 1_099_511_627_776,
    about: 'Bytes of uploaded files that are stored for one organization; an upload beyond that gets 413.',
  }),
  MAX_UNFINISHED_JOBS: integer({
    default: 500,
    min: 1,
    max: 1_000_000,
    about: 'Exports and imports of one organization that have not ended; a request for another one gets 429.',
  }),
  MAX_IMPORT_SECONDS: integer({
    default: 900,
    min: 1,
    max: 86_400,
    about: 'Time for reading one uploaded file and comparing it with the library; then the import fails.',
  }),
  MIN_FREE_DISK_BYTES: integer({
    default: 536_870_912,
    min: 0,
    max: 1_099_511_627_776,
    about:
      'Free bytes that exported and uploaded files leave on the disk of the storage folder: uploads get 507, and ' +
      'exports fail. The database may be on the same disk.',
  }),
  MAX_USERS_PER_HOUR: integer({
    default: 1000,
    min: 1,
    max: 1_000_000,
    about:
      'E-mail addresses that one organization may assign to new and changed users per hour; further requests get ' +
      '429.',
  }),
  MAX_REQUESTS: integer({
    default: 8,
    min: 1,
    max: 10_000,
    about:
      'Short requests (items, pages of up to 100, writes) that one API process handles at once; others wait, in ' +
      'turn by organization. One organization gets at most half.',
  }),
  MAX_HEAVY_REQUESTS: integer({
    default: 0,
    min: 0,
    max: 10_000,
    about:
      'The same for unpaged lists, larger pages, reports and composite requests. 0: one per processor, at least 4. ' +
      'Together with MAX_REQUESTS and MAX_STREAMS, at most DATABASE_POOL_SIZE.',
  }),
  REQUEST_WAIT_SECONDS: integer({
    default: 10,
    min: 1,
    max: 600,
    about: 'Maximum time that a request waits for its turn; then it gets 429.',
  }),
  USER_RATE_LIMIT: integer({
    default: 15_000,
    min: 0,
    max: 1_000_000_000,
    about:
      'Requests of one user to one API process within RATE_LIMIT_SECONDS; further ones get 429. A JSON body counts ' +
      'as one more request for each 16 KiB. 0: no limit.',
  }),
  ORGANIZATION_RATE_LIMIT: integer({
    default: 20_000,
    min: 0,
    max: 1_000_000_000,
    about: 'The same for all users of one organization together. 0: no limit.',
  }),
  ADDRESS_RATE_LIMIT: integer({
    default: 20_000,
    min: 0,
    max: 1_000_000_000,
    about:
      'Requests from one client address, with or without a token, within RATE_LIMIT_SECONDS. Behind a proxy, set ' +
      'TRUSTED_PROXIES; otherwise, all clients share one address. 0: no limit.',
  }),
  RATE_LIMIT_SECONDS: integer({
    default: 10,
    min: 1,
    max: 86_400,
    about: 'Window of USER_RATE_LIMIT, ORGANIZATION_RATE_LIMIT and ADDRESS_RATE_LIMIT.',
  }),
  MAX_CONNECTIONS: integer({
    default: 4000,
    min: 2,
    max: 1_000_000,
    about:
      'Connections that one API process accepts; further ones are closed. One client address gets at most half, ' +
      'unless it is one of TRUSTED_PROXIES.',
  }),
  MAX_OPEN_REQUESTS: integer({
    default: 2000,
    min: 2,
    max: 1_000_000,
    about:
      'Requests in progress at once in one API process, including uploads and downloads; further ones get 429. One ' +
      'client address gets at most half.',
  }),
  HEADERS_TIMEOUT_SECONDS: integer({
    default: 15,
    min: 1,
    max: 300,
    about: 'Seconds in which the headers of a request must arrive, from the start of the connection or request.',
  }),
  BODY_TIMEOUT_SECONDS: integer({
    default: 20,
    min: 1,
    max: 300,
    about: 'Seconds in which a JSON body must arrive, plus one second for each 64 KiB of its length.',
  }),
  REQUEST_TIMEOUT_SECONDS: integer({
    default: 300,
    min: 300,
    max: 86_400,
    about: 'Seconds in which a whole request must arrive, including uploaded files.',
  }),
  MAX_STREAMS: integer({
    default: 8,
    min: 1,
    max: 1000,
    about:
      'Unpaged lists that one API process sends at once; further ones get 429. One organization gets at most half.',
  }),
  MAX_EVENT_STREAMS: integer({
    default: 1000,
    min: 1,
    max: 100_000,
    about: 'Open streams of events of one API process; further ones get 429. One organization gets at most half.',
  }),
  EVENT_STREAM_SECONDS: integer({
    default: 3600,
    min: 1,
    max: 86_400,
    about: 'Time after which a stream of events ends. Clients then continue with a new one.',
  }),
  MAX_WAITING_BYTES: integer({
    default: 134_217_728,
    min: 1_048_576,
    max: 1_099_511_627_776,
    about:
      'Bytes of large responses that one API process keeps in memory for slow clients; further ones get 429. One ' +
      'organization gets at most half.',
  }),
  STREAM_STALL_SECONDS: integer({
    default: 30,
    min: 1,
    max: 3600,
    about: 'Seconds after which a client that stops reading a list is disconnected.',
  }),
};
