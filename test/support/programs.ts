import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The path of the first of these programs that is in the PATH; undefined if there is none. */
export function programInPath(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
