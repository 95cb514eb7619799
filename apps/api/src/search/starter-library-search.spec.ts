import { useTestApi } from '#test/support/api.js';
import { rowsOf } from '#test/support/client.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();

interface Titled {
  readonly id: string;
  readonly title: string;
}

/** Typical searches, and the built-in weaknesses and countermeasures that they should find, all by their titles. */
const EXPECTED: readonly (readonly [term: string, ...ids: string[]])[] = [
  ['XSS', 'P36', 'T85', 'T86'],
  ['cross-site scripting', 'P36'],
  ['SQL injection', 'P53', 'T124', 'T125'],
  ['CSRF', 'P37', 'T88'],
  ['SSRF', 'P19', 'T45', 'T46'],
  ['IDOR', 'P11', 'T28', 'T29'],
  ['BOLA', 'P11', 'T28', 'T29'],
  ['path traversal', 'P61', 'P353', 'T143', 'T757'],
  ['JWT', 'P8', 'T20', 'T22'],
  ['OAuth', 'P76', 'T10', 'T21', 'T188', 'T213'],
  ['SBOM', 'T109'],
  ['Terraform', 'T101'],
  ['CSP', 'T87'],
  ['content security policy', 'T87'],
  ['TLS', 'P23', 'T53', 'T54', 'T187'],
  ['HSTS', 'T53', 'T795'],
  ['MFA', 'P6', 'T3', 'T15', 'T601'],
  ['passkey', 'T3'],
  ['Argon2', 'T5'],
  ['prompt injection', 'P67', 'T159', 'T160'],
  ['deserialization', 'P17', 'T41', 'T42'],
  ['XXE', 'P18', 'T43', 'T44'],
  ['clickjacking', 'P37', 'T87'],
  ['open redirect', 'P39', 'T92'],
];

describe('Searching the starter library', () => {
  const titled = async (path: string, term: string): Promise<string[]> => {
    const found = await rowsOf(test.api.get<List<Titled>>(path, { title__icontains: term, page_size: '100' }));
    return found.map(({ id }) => id);
  };

  it.each(EXPECTED)('finds the expected weaknesses and countermeasures for %s', async (term, ...ids) => {
    const found = [...(await titled('/library/problems/', term)), ...(await titled('/library/tasks/', term))];
    expect(found).toEqual(expect.arrayContaining(ids));
    const best = await rowsOf(
      test.api.get<List<Titled>>('/search/', { q: term, kind__in: 'weakness,countermeasure', page_size: '100' }),
    );
    expect(best.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(ids).toContain(best[0]?.id);
  });
});
