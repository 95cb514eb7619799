import { setTimeout as sleep } from 'node:timers/promises';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import type { Configuration } from '../configuration.js';
import type { Logger } from '../logging.js';
import { releaseVersion } from '../version.js';

/** The part of the SDK that is used. Its types are not installed where the product is built. */
interface NodeSdk {
  startNodeSdk(options: {
    readonly logLevel: string;
    readonly logRecordProcessors: readonly [];
    readonly resourceAttributes: Readonly<Record<string, string>>;
  }): { shutdown(): Promise<void> };
}

/** Operators install it if they want it: docs/adr/0079-opentelemetry-is-installed-on-demand.md. */
const SDK: string = '@opentelemetry/sdk-node';

/** What is not sent within this time after the shutdown has begun is lost. */
const FLUSH_MILLISECONDS = 2000;

let isOn = false;

/** Whether this process records traces and metrics. */
export const telemetryIsOn = (): boolean => isOn;

/** Sends what has not been sent yet. */
export type StopTelemetry = () => Promise<void>;

/**
 * Starts OpenTelemetry if the environment turns it on; otherwise its SDK is not even loaded. To be called before
 * anything that is traced or measured is created. Problems are logged and never stop the process.
 *
 * @param process the kind of process
 * @returns to be called when the process stops
 */
export async function startTelemetry(
  configuration: Configuration,
  process: 'api' | 'worker',
  logger: Logger,
): Promise<StopTelemetry> {
  if (!isWanted(configuration)) return () => Promise.resolve();
  const sdk = await loadSdk(logger);
  if (!sdk) return () => Promise.resolve();
  const running = sdk.startNodeSdk({
    logLevel: 'warn',
    logRecordProcessors: [],
    resourceAttributes: {
      ...(isNamed(configuration) ? {} : { 'service.name': `merlon-${process}` }),
      'service.version': releaseVersion(),
      'merlon.process': process,
    },
  });
  logProblems(logger);
  isOn = true;
  return async () => {
    const flushed = running.shutdown().catch((error: unknown) => logger.warn({ err: error }, 'Telemetry was lost'));
    await Promise.race([flushed, sleep(FLUSH_MILLISECONDS, undefined, { ref: false })]);
  };
}

function isWanted(configuration: Configuration): boolean {
  const { otelSdkDisabled, otelExporterOtlpEndpoint, otelTracesExporter, otelMetricsExporter } = configuration;
  if (otelSdkDisabled) return false;
  const exporters = [otelTracesExporter, otelMetricsExporter];
  if (exporters.every((exporter) => exporter === 'none')) return false;
  return otelExporterOtlpEndpoint !== undefined || exporters.some((exporter) => !['', 'none'].includes(exporter));
}

/** Whether the environment names the service, in one of the two standard ways. */
const isNamed = ({ otelServiceName }: Configuration): boolean =>
  otelServiceName !== '' || /(^|,)\s*service\.name=/.test(process.env['OTEL_RESOURCE_ATTRIBUTES'] ?? '');

async function loadSdk(logger: Logger): Promise<NodeSdk | undefined> {
  try {
    return (await import(SDK)) as NodeSdk;
  } catch (error) {
    logger.warn(
      { err: error },
      'OpenTelemetry is off: its SDK is not installed. docs/operate/telemetry.md has the command.',
    );
    return undefined;
  }
}

/** Logs problems of the SDK. While a collector is down, each attempt has the same one: it is logged once. */
function logProblems(logger: Logger): void {
  let last: string | undefined;
  const log = (message: string): void => {
    if (message === last) return;
    last = message;
    logger.warn({ problem: message.slice(0, 500) }, 'OpenTelemetry has a problem');
  };
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: log, warn: log, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
