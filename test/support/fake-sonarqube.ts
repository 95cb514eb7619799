import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The response of SonarQube to a path: JSON with a status, a plain text, or none. */
export type SonarQubeResponse =
  | { readonly status?: number; readonly body: unknown }
  | { readonly text: string }
  | 'hang';

/** A fake SonarQube: HTTP on a loopback address. */
export interface FakeSonarQube {
  /** Its address, with a path, as behind a proxy. */
  readonly url: string;
  /** The requested paths, in order. */
  readonly requests: readonly string[];
  /** Sets the responses to these paths; other paths get the default response. */
  answer(answers: Readonly<Record<string, SonarQubeResponse>>): void;
  stop(): Promise<void>;
}

/** The only token that it accepts. */
export const SONARQUBE_TOKEN = 'squ_5f2c1e';

const STATUS = '/api/system/status';
const VALIDATE = '/api/authentication/validate';
const FOLDER = '/sonar';

/** Starts a SonarQube that is up and accepts `SONARQUBE_TOKEN`. */
export async function startFakeSonarQube(): Promise<FakeSonarQube> {
  let special: Readonly<Record<string, SonarQubeResponse>> = {};
  const requests: string[] = [];
  const usual = (path: string, { headers }: IncomingMessage): SonarQubeResponse => {
    const expected = `Basic ${Buffer.from(`${SONARQUBE_TOKEN}:`).toString('base64')}`;
    if (path === STATUS) return { body: { id: '20261121', version: '10.7', status: 'UP' } };
    if (path === VALIDATE) return { body: { valid: headers.authorization === expected } };
    return { status: 404, body: { errors: [{ msg: `Unknown url : ${path}` }] } };
  };
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    const path = url.startsWith(FOLDER) ? url.slice(FOLDER.length) : '';
    requests.push(path);
    const answer = special[path] ?? usual(path, request);
    if (answer === 'hang') return;
    if ('text' in answer) response.writeHead(200).end(answer.text);
    else
      response
        .writeHead(answer.status ?? 200, { 'Content-Type': 'application/json', Location: '/elsewhere' })
        .end(JSON.stringify(answer.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${FOLDER}`,
    requests,
    answer: (answers) => (special = answers),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
