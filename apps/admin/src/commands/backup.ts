import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BackupFile } from '#content/backup/backup-file.js';
import { restoreBackup } from '#content/backup/restore-backup.js';
import { writeBackup } from '#content/backup/write-backup.js';
import { openSecretBox } from '#platform/crypto/secret-box.js';
import { openStorage } from '#platform/storage/open-storage.js';
import type { Command, Options } from '../command.js';
import { prepareQueues } from '../prepare-queues.js';
import { ProgressBar } from '../progress-bar.js';
import { interruptible, LONGEST_PATH } from './choose.js';

const FILE = 'file';

const fileOf = (options: Options): string => path.resolve(options.required(FILE, LONGEST_PATH));

/** Work that Ctrl-C breaks off, and that shows how far it is. */
async function watched<Result>(
  work: (watch: { readonly signal: AbortSignal; readonly progress: ProgressBar['show'] }) => Promise<Result>,
): Promise<Result> {
  const bar = new ProgressBar();
  try {
    return await interruptible((signal) => work({ signal, progress: (now) => bar.show(now) }));
  } finally {
    bar.end();
  }
}

export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    about:
      'writes the whole database and the stored files into one file, while the service may run: docs/operations.md',
    arguments: [{ name: FILE, about: 'the file to write; one that is there is replaced' }],
    options: {},
    anySchema: true,
    run: async ({ configuration, orm }, options) => {
      const file = fileOf(options);
      // Beside the file, so that it is there whole or not at all. It holds all there is: it is its owner's alone.
      const temporary = `${file}.${randomBytes(6).toString('hex')}.part`;
      try {
        const summary = await watched((watch) =>
          writeBackup(orm.em, openStorage(configuration), watch, (bytes) =>
            pipeline(bytes, createWriteStream(temporary, { mode: 0o600, flush: true })),
          ),
        );
        await rename(temporary, file);
        return { file, bytes: (await stat(file)).size, ...summary };
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
  },
  {
    name: 'restore',
    about: 'brings a backup back into an empty database, all of it or nothing; no API or worker may run',
    arguments: [{ name: FILE, about: 'what backup has written' }],
    options: {
      replace: { type: 'boolean', about: 'drops what the database holds, where that is Merlon' },
      check: { type: 'boolean', about: 'reads the whole file and checks it, and restores nothing' },
    },
    anySchema: true,
    run: async ({ configuration, installation, orm }, options) =>
      watched(async (watch) => {
        const backup = await BackupFile.open(fileOf(options), watch.signal);
        try {
          const { version, created } = backup.header;
          if (options.flag('check'))
            return { restored: false, version, created, rows: backup.rows, files: backup.keys.length };
          const target = {
            orm,
            files: openStorage(configuration),
            secrets: openSecretBox({ ...configuration, secretKey: installation.secretKey }),
            replace: options.flag('replace'),
          };
          const summary = await restoreBackup(backup, target, watch);
          await prepareQueues({ configuration, installation });
          return { restored: true, version, created, ...summary };
        } finally {
          await backup.close();
        }
      }),
  },
];
