// A browser and a client behind the proxy of https://login.example.com.
import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';

const ISSUER = 'https://login.example.com';

export function connect(port) {
  const send = (path, { method = 'GET', headers = {}, form } = {}) =>
    new Promise((resolve, reject) => {
      const body = form && new URLSearchParams(form).toString();
      const all = { Host: 'login.example.com', 'X-Forwarded-Proto': 'https', ...headers };
      if (body) all['Content-Type'] = 'application/x-www-form-urlencoded';
      const call = request(
        { host: '127.0.0.1', port, path, method: body ? 'POST' : method, headers: all },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part) => void (text += part));
          response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
        },
      );
      call.on('error', reject).end(body);
    });

  /** Follows redirects of the provider, and returns the address at the client or the page of an error. */
  async function authorize(change = {}) {
    const verifier = randomBytes(32).toString('base64url');
    const query = {
      client_id: 'web',
      redirect_uri: 'https://app.example.com/callback',
      response_type: 'code',
      scope: 'openid offline_access',
      prompt: 'consent',
      state: 's',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...change,
    };
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const jar = new Map();
    let path = `/auth?${new URLSearchParams(given)}`;
    for (;;) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await send(path, { headers: { cookie } });
      for (const set of answer.headers['set-cookie'] ?? []) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set);
        jar.set(name, value);
      }
      const { location } = answer.headers;
      if (!location) return { page: answer };
      const next = new URL(location, ISSUER);
      if (next.origin !== ISSUER) return { callback: next, verifier };
      path = next.pathname + next.search;
    }
  }

  async function token(form, { client = 'web', secret = process.env.WEB_CLIENT_SECRET } = {}) {
    const headers = { Authorization: `Basic ${btoa(`${client}:${secret}`)}` };
    const { status, text } = await send('/token', { headers, form });
    return { status, body: JSON.parse(text) };
  }

  const redeem = ({ callback, verifier }, change, client) =>
    token(
      {
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code'),
        redirect_uri: 'https://app.example.com/callback',
        code_verifier: verifier,
        ...change,
      },
      client,
    );

  const userInfo = async (accessToken) =>
    (await send('/me', { headers: { Authorization: `Bearer ${accessToken}` } })).status;

  return { authorize, redeem, token, userInfo };
}
