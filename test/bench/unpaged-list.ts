import type { Deployment } from './deployment.ts';

/** Reads all countermeasures without pages, and measures the API's peak memory meanwhile. */
export async function readUnpagedList(
  deployment: Deployment,
): Promise<{ rows: number; bytes: number; seconds: number; peak: number }> {
  const started = performance.now();
  const { origin, headers } = deployment.service;
  const response = await fetch(`${origin}/api/v2/library/tasks/`, {
    headers: { 'accept-encoding': 'identity', ...headers },
  });
  if (!response.ok || !response.body) throw new Error(`The response of the list was ${response.status}.`);
  let bytes = 0;
  let rows = 0;
  let peak = 0;
  let looked = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    rows += Buffer.from(chunk).toString('latin1').split('{"id":"').length - 1;
    if (bytes - looked < 2 ** 22) continue;
    looked = bytes;
    peak = Math.max(peak, await deployment.memory());
  }
  return { rows, bytes, seconds: (performance.now() - started) / 1000, peak };
}
