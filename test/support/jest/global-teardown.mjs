import { rm } from 'node:fs/promises';

/** After all suites. */
export default async function tearDown() {
  await globalThis.stopTestDatabaseServer?.();
  const folder = process.env.MERLON_TEST_FOLDER;
  if (folder) await rm(folder, { recursive: true, force: true });
}
