// `npm run bench -- requests [scenario …] [--large] [--session] [--rounds N] [--seconds N] [--warm-up SECONDS]
// [--directus FOLDER]`: throughput and delays of the service (with `--session`, also with a session instead of a token) and,
// in the same run, of a minimal server with the same requests and of Directus, if it is installed in that folder. See
// docs/operate/performance.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { minimalStatements, SCENARIOS } from '../scenarios.ts';
import { measure, median, type Measured } from '../load.ts';
import { type Directus, startDirectus } from '../directus.ts';
import { startDeployment } from '../deployment.ts';
import { withSession } from '../with-session.ts';
import { readUnpagedList } from '../unpaged-list.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    large: { type: 'boolean', default: false },
    session: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    'warm-up': { type: 'string', default: '20' },
    directus: { type: 'string' },
  },
});
const CONNECTIONS = 32;
const size = values.large ? 100_000 : 10_000;
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
/** V8 optimizes code while it runs: a request for one item takes less and less time until about 50,000 of them were sent. */
const warmUpSeconds = Number(values['warm-up']);
const isRequested = (name: string): boolean => positionals.length === 0 || positionals.includes(name);

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const deployment = await startDeployment(folder, size, minimalStatements);
let directus: Directus | undefined;
try {
  const browser = values.session ? await withSession(deployment.service, deployment.databaseUrl) : undefined;
  if (values.directus) directus = await startDirectus(path.resolve(values.directus), deployment.databaseUrl);
  const memory = Math.round(totalmem() / 2 ** 30);
  console.log(
    `${size} countermeasures, ${CONNECTIONS} connections, ${warmUpSeconds} s of warm-up, median of ${rounds} rounds of ${seconds} s`,
  );
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${memory} GiB\n`);
  const others = `minimal/s   p50 ms   p99 ms    ratio   target${directus ? '       Directus/s   p50 ms   p99 ms    ratio' : ''}`;
  console.log(`scenario   service/s   p50 ms   p99 ms     ${others}`);
  for (const scenario of SCENARIOS.filter(({ name }) => isRequested(name))) {
    const peers = [
      { target: deployment.service, pathOf: scenario.path },
      { target: deployment.minimal, pathOf: scenario.minimalPath },
      { target: directus?.target, pathOf: scenario.directus },
      { target: browser, pathOf: scenario.path },
    ].map((peer) => ({ ...peer, measured: [] as Measured[] }));
    for (const { target, pathOf } of peers)
      if (warmUpSeconds && target && pathOf) await measure(target, scenario, pathOf, CONNECTIONS, warmUpSeconds);
    for (let round = 0; round < rounds; round += 1)
      for (const { target, pathOf, measured } of peers)
        if (target && pathOf) measured.push(await measure(target, scenario, pathOf, CONNECTIONS, seconds));
    const [service, minimal, peer, session] = peers.map(({ measured }) =>
      measured.length ? median(measured) : undefined,
    );
    const cells = (m: Measured | undefined): string =>
      m
        ? `${m.perSecond.toFixed(0).padStart(9)}   ${m.p50.toFixed(0).padStart(6)}   ${m.p99.toFixed(0).padStart(6)}`
        : '        –        –        –';
    const ratio = (other: Measured | undefined): string =>
      (service && other ? (service.perSecond / other.perSecond).toFixed(2) : '–').padStart(6);
    const { target } = scenario;
    const goal =
      [target.ratio && `≥ ${target.ratio}`, target.perSecond && `≥ ${target.perSecond}/s`]
        .filter(Boolean)
        .join(' or ') || '–';
    console.log(
      `${scenario.name.padEnd(9)} ${cells(service)}   ${cells(minimal)}   ${ratio(minimal)}   ${goal.padEnd(8)}` +
        (directus ? `     ${cells(peer)}   ${ratio(peer)}` : ''),
    );
    if (service && session)
      console.log(
        // The quantiles are whole milliseconds, so a ratio of theirs says less than that of the throughputs.
        `  with a session: ${cells(session)}; a request takes ${ratio(session).trim()} × as long as with a token`,
      );
  }
  const used = await deployment.memory();
  console.log(`\nMemory of the API after that load: ${Math.round(used / 2 ** 20)} MiB (target: below 300)`);
  if (isRequested('stream')) {
    const before = await deployment.memory();
    const list = await readUnpagedList(deployment);
    console.log(
      `Unpaged list: ${list.rows} rows, ${Math.round(list.bytes / 2 ** 20)} MiB in ${list.seconds.toFixed(1)} s; ` +
        `the API's memory went from ${Math.round(before / 2 ** 20)} to at most ${Math.round(list.peak / 2 ** 20)} MiB`,
    );
  }
} finally {
  await directus?.stop();
  await deployment.stop();
  rmSync(folder, { recursive: true, force: true });
}
