import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
}

/** A span as OTLP describes it in JSON. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
}

interface Sent {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[] }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

/** A server that receives traces and metrics over OTLP/HTTP in JSON. */
export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly origin: string;
  /** The bodies of all requests, as they were sent. */
  readonly texts: readonly string[];
  spans(): readonly SentSpan[];
  /** The names of the metrics. */
  metrics(): ReadonlySet<string>;
  stop(): Promise<void>;
}

/** @param answers false: it accepts connections and never responds */
export async function startCollector(answers = true): Promise<Collector> {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      texts.push(Buffer.concat(chunks).toString('utf8'));
      if (answers) response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bodies = (): Sent[] => texts.map((text) => JSON.parse(text) as Sent);
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    texts,
    spans: () =>
      bodies().flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    metrics: () =>
      new Set(
        bodies().flatMap(({ resourceMetrics = [] }) =>
          resourceMetrics.flatMap(({ scopeMetrics }) =>
            scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name)),
          ),
        ),
      ),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An attribute of a span. */
export const attributeOf = ({ attributes }: SentSpan, name: string): string | number | undefined => {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue ?? value?.doubleValue;
};
