import path from 'node:path';
import { BackupFile } from '#content/backup/backup-file.js';
import { restoreBackup } from '#content/backup/restore-backup.js';
import { writeBackup } from '#content/backup/write-backup.js';
import { openSecretBox } from '#platform/crypto/secret-box.js';
import { openStorage } from '#platform/storage/open-storage.js';
import type { Command, Options } from '../command.js';
import { prepareApplicationRole } from '../prepare-database.js';
import { prepareQueues } from '../prepare-queues.js';
import { withProgress } from '../with-progress.js';
import { writeAtomically } from '../write-atomically.js';
import { MAX_PATH_LENGTH } from './choose.js';

const FILE = 'file';

const fileOf = (options: Options): string => path.resolve(options.required(FILE, MAX_PATH_LENGTH));

export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    about: 'writes the database and the stored files into one file, while the service may run: docs/operate/backup.md',
    arguments: [{ name: FILE, about: 'the file to write; an existing file is replaced' }],
    options: {},
    anySchema: true,
    run: async ({ configuration, orm }, options) => {
      // The backup contains secrets, so only its owner may read it.
      return writeAtomically(fileOf(options), { mode: 0o600 }, (write) =>
        withProgress(async (watch) => writeBackup(orm.em, await openStorage(configuration), watch, write)),
      );
    },
  },
  {
    name: 'restore',
    about: 'restores a backup into an empty database, all of it or nothing; no API or worker may run',
    arguments: [{ name: FILE, about: 'a file written by backup', isRead: true }],
    options: {
      replace: { type: 'boolean', about: 'deletes the content of the database first, if it belongs to Merlon' },
      check: { type: 'boolean', about: 'reads and checks the whole file, but restores nothing' },
    },
    anySchema: true,
    run: async ({ configuration, deployment, orm }, options) =>
      withProgress(async (watch) => {
        const backup = await BackupFile.open(fileOf(options), watch.signal);
        try {
          const { version, created } = backup.header;
          if (options.flag('check'))
            return { restored: false, version, created, rows: backup.rows, files: backup.keys.length };
          const applicationRole = await prepareApplicationRole({ orm, deployment });
          const target = {
            orm,
            files: await openStorage(configuration),
            secrets: openSecretBox({ ...configuration, secretKey: deployment.secretKey }),
            replace: options.flag('replace'),
            applicationRole,
          };
          const summary = await restoreBackup(backup, target, watch);
          await prepareQueues({ configuration, deployment }, applicationRole);
          return { restored: true, version, created, ...summary };
        } finally {
          await backup.close();
        }
      }),
  },
];
