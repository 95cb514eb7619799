/** After all suites. */
export default async function tearDown() {
  await globalThis.stopTestDatabaseServer?.();
}
