import './follow-parent.js';

import { fileURLToPath } from 'node:url';

import { ConfigurationError, loadConfiguration } from '#platform/configuration.js';
import type { Configuration } from '#platform/configuration.js';
import { childEnvironment, openDeployment } from '#platform/deployment.js';
import type { Deployment } from '#platform/deployment.js';
import { NODE_ENVIRONMENT, NODE_OPTIONS } from '#platform/node-options.js';
import { portError, readRemedies, waitUntilReady } from '#platform/readiness.js';

import { localUrl } from './addresses.js';
import { DatabaseFailure, keepDatabaseRunning } from './database-watch.js';
import { DemoRefused, fillWithDemo } from './demo.js';
import { openLogs } from './logs.js';
import type { Logs } from './logs.js';
import { renderScreen } from './screen.js';
import { createSetupLink } from './setup-link.js';
import { SupervisedProcess, describeEnding } from './supervised-process.js';
import type { Ending } from './supervised-process.js';

/** Time for an API that is just ending to release its port. */
const PORT_SECONDS = 5;

const READY_SECONDS = 120;

/** A second Ctrl-C within this time is ignored: it is a forwarded copy of the first one. */
const HURRY_MILLISECONDS = 1000;

/** Set by `npm run dev`: the processes restart when their compiled code changes. */
const WATCH_OPTION = '--watch';

/** Fills the organization with a made-up company, if it has no projects yet. */
const DEMO_OPTION = '--demo';

/** The user or the system stops the launcher. */
class Interrupted extends Error {}

/** A startup error whose message is complete: no stack trace is needed. */
class StartFailure extends Error {}

const interrupted = new AbortController();

process.exitCode = await main();

/** Runs all processes until the launcher is stopped. Returns the exit code. */
async function main(): Promise<number> {
  const processes: SupervisedProcess[] = [];
  let interruptedAt = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (interrupted.signal.aborted) {
      // A second Ctrl-C kills the processes at once. Copies of the first one, which npm and our parent forward, do not
      // count.
      if (signal === 'SIGINT' && Date.now() - interruptedAt > HURRY_MILLISECONDS)
        for (const one of processes) one.kill();
      return;
    }
    interruptedAt = Date.now();
    printLine('Stopping.');
    interrupted.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);

  let deployment: Deployment | undefined;
  let graceSeconds = 0;
  try {
    const configuration = loadConfiguration();
    graceSeconds = configuration.shutdownGraceSeconds;
    await checkPorts(configuration);
    deployment = await openDeployment(configuration).catch((error: Error) => {
      throw new StartFailure(error.message); // the message says what to do
    });
    stopIfInterrupted();
    const logs = openLogs(configuration.dataDir, ['setup', 'api', 'worker']);
    await runSetup(configuration, deployment, logs, processes);
    if (process.argv.includes(DEMO_OPTION)) {
      printLine('Filling the organization with a demo.');
      const env = ownerEnvironment(configuration, deployment);
      await fillWithDemo({ admin: entryOf('admin'), env, signal: interrupted.signal });
      stopIfInterrupted();
    }
    await serve(configuration, deployment, logs, processes);
    return 0;
  } catch (error) {
    if (error instanceof Interrupted) return 0;
    const isPlain = [StartFailure, DatabaseFailure, DemoRefused, ConfigurationError].some(
      (plain) => error instanceof plain,
    );
    printLine(isPlain ? (error as Error).message : ((error as Error).stack ?? String(error)));
    return 1;
  } finally {
    await Promise.all(processes.map((one) => one.stop(graceSeconds)));
    await deployment?.close();
  }
}

async function checkPorts(configuration: Configuration): Promise<void> {
  const { host, port, workerPort } = configuration;
  const ports = [
    { name: 'PORT', port },
    { name: 'WORKER_PORT', port: workerPort },
  ];
  for (const { name, port: number } of ports.filter((one) => one.port !== 0)) {
    const code = await portError({ host, port: number, timeoutSeconds: PORT_SECONDS });
    if (code === 'EADDRINUSE') {
      throw new StartFailure(
        `Port ${number} of ${host} is in use. Stop the process that uses it, or set ${name} to another port.`,
      );
    }
    if (code !== undefined) throw new StartFailure(`Cannot listen on port ${number} of ${host} (${code}).`);
    stopIfInterrupted();
  }
}

/** Migrates the database, loads the starter library, and creates the first organization with its super-user. */
async function runSetup(
  configuration: Configuration,
  deployment: Deployment,
  logs: Logs,
  processes: SupervisedProcess[],
): Promise<void> {
  const setup = new SupervisedProcess({
    name: 'setup',
    args: [entryOf('admin'), 'setup'],
    env: ownerEnvironment(configuration, deployment),
    output: logs.outputOf('setup'),
  });
  processes.push(setup);
  const stop = (): void => void setup.stop(configuration.shutdownGraceSeconds);
  interrupted.signal.addEventListener('abort', stop);
  const ending = await setup.runOnce();
  interrupted.signal.removeEventListener('abort', stop);
  stopIfInterrupted();
  if (ending.code !== 0) {
    const logFile = logs.files.find((file) => file.endsWith('setup.log')) ?? 'above';
    throw new StartFailure(`Setting up the database failed (${describeEnding(ending)}). Its output: ${logFile}.`);
  }
}

/**
 * Runs the API, the worker and the database until the user stops them, and restarts each of them when it ends. Throws
 * if the API or the worker repeatedly ends before the API has been ready once.
 */
async function serve(
  configuration: Configuration,
  deployment: Deployment,
  logs: Logs,
  processes: SupervisedProcess[],
): Promise<void> {
  const env = childEnvironment({
    ...NODE_ENVIRONMENT,
    ...sharedVariables(configuration, deployment),
    DATABASE_OWNER_URL: undefined, // the API and the worker do not need these secrets
    ADMIN_TOKEN: undefined,
    ADMIN_PASSWORD: undefined,
  });
  const watch = process.argv.includes(WATCH_OPTION) ? [WATCH_OPTION, '--watch-preserve-output'] : [];
  const processDied = new AbortController();
  let hasBeenReady = false;
  const runningProcesses = (['api', 'worker'] as const).map(async (app) => {
    const name = app === 'api' ? 'API' : 'worker';
    const one = new SupervisedProcess({
      name,
      args: [...NODE_OPTIONS, ...watch, entryOf(app)],
      env,
      output: logs.outputOf(app),
    });
    processes.push(one);
    const ending = await one.keepRunning(printLine, () => !hasBeenReady);
    if (ending === undefined) return;
    processDied.abort();
    throw new StartFailure(deathMessage(name, ending, logs));
  });
  const signal = AbortSignal.any([interrupted.signal, processDied.signal]);
  const database = keepDatabaseRunning({ database: deployment.embedded, report: printLine, signal }).catch(
    (error: Error) => {
      processDied.abort();
      throw error;
    },
  );
  const allRunning = Promise.all([...runningProcesses, database]);
  allRunning.catch(() => undefined); // awaited below, perhaps after the readiness check has failed

  const { host, port, publicUrl } = configuration;
  const readinessUrl = localUrl(host, port, '/readyz');
  const ready = await waitUntilReady({ url: readinessUrl, timeoutSeconds: READY_SECONDS, signal });
  stopIfInterrupted();
  if (!ready && !processDied.signal.aborted) {
    throw new StartFailure(`The API is not ready after ${READY_SECONDS} s. See ${logs.files.join(', ') || 'its log'}.`);
  }
  if (ready) {
    hasBeenReady = true;
    const remedies = await readRemedies(readinessUrl);
    const setupLink = await createSetupLink({
      host,
      port,
      publicUrl,
      stateUrl: localUrl(host, port, '/auth/session/'),
      admin: entryOf('admin'),
      env: ownerEnvironment(configuration, deployment),
    });
    stopIfInterrupted();
    const { adminTokenFile } = deployment;
    const facts = { host, port, setupLink, adminTokenFile, logFiles: logs.files, remedies };
    process.stdout.write(renderScreen(facts, process.cwd()));
  }
  await Promise.race([allRunning, untilInterrupted()]);
}

/** The environment of `admin` commands, which use the database as its owner. */
function ownerEnvironment(configuration: Configuration, deployment: Deployment): NodeJS.ProcessEnv {
  return childEnvironment({
    ...sharedVariables(configuration, deployment),
    DATABASE_OWNER_URL: deployment.ownerUrl,
    ADMIN_TOKEN: deployment.adminToken,
  });
}

/** Environment variables that tell setup, API and worker how to use the deployment that the launcher has opened. */
function sharedVariables(
  configuration: Configuration,
  deployment: Deployment,
): { DATABASE_URL: string; DATABASE_ON_THIS_MACHINE?: string; SECRET_KEY: string; DATA_DIR: string } {
  return {
    DATABASE_URL: deployment.databaseUrl,
    ...(deployment.embedded && { DATABASE_ON_THIS_MACHINE: 'true' }),
    SECRET_KEY: deployment.secretKey,
    DATA_DIR: configuration.dataDir,
  };
}

function deathMessage(name: string, ending: Ending, logs: Logs): string {
  const logHint = logs.files.length === 0 ? '' : ` See ${logs.files.join(', ')}.`;
  return `The ${name} keeps ending (${describeEnding(ending)}). Stopping everything.${logHint}`;
}

function entryOf(app: 'admin' | 'api' | 'worker'): string {
  return fileURLToPath(new URL(`../../${app}/src/main.js`, import.meta.url));
}

function stopIfInterrupted(): void {
  if (interrupted.signal.aborted) throw new Interrupted();
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => interrupted.signal.addEventListener('abort', () => resolve(), { once: true }));
}

function printLine(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
