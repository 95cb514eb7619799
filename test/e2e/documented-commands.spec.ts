import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type AdminRun, runAdminWithInput } from '../support/admin.js';
import { useTestApi } from '../support/api.js';
import { operationsOf } from '../support/document.js';
import { commandsIn, documentation, requestOf, sectionOf, send } from '../support/shell-examples.js';
import { temporaryFolder } from '../support/worker.js';

const test = useTestApi();
const CONFIGURATION = documentation('docs/operate/configuration.md');
const USERS = documentation('docs/use/users-and-tokens.md');
const MOVING = documentation('docs/move-here/moving-here.md');
const PASSWORD = 'a raven files receipts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder.remove());

/** Files that a command reads or writes are in this folder: the pages are about the folder of the reader. */
const inFolder = (word: string): string =>
  /^[\w.-]+\.(zip|tar|json)$/.test(word) ? path.join(folder.path, word) : word;

/** A documented command, without `npm run -s admin --`. */
const admin = (words: readonly string[], input = ''): Promise<AdminRun> =>
  runAdminWithInput(
    input,
    {
      DATABASE_URL: test.database.applicationUrl,
      DATABASE_OWNER_URL: test.database.url,
      DATA_DIR: folder.path,
      SECRET_KEY: 'k'.repeat(40),
      LOG_LEVEL: 'warn',
    },
    ...words.map(inFolder),
  );

/** The least that is an OWASP ASVS: readers have the publisher's file. */
const ASVS = {
  requirements: [
    {
      chapter_id: 'V1',
      chapter_name: 'Encoding',
      section_id: 'V1.1',
      section_name: 'Architecture',
      req_id: 'V1.1.1',
      req_description: 'Verify that input is decoded once.',
      L: '2',
    },
  ],
};

describe('The documentation', () => {
  it('shows admin commands that work in the given order', async () => {
    await writeFile(path.join(folder.path, 'OWASP_ASVS_5.0.0_en.flat.json'), JSON.stringify(ASVS));
    const commands = [...commandsIn(sectionOf(CONFIGURATION, 'Commands')), ...commandsIn(MOVING)].filter(
      (words) => words.slice(0, 5).join(' ') === 'npm run -s admin --',
    );
    expect(commands.length).toBeGreaterThan(9);
    const [help, ...others] = commands.map((words) => words.slice(5));
    expect(help).toEqual(['help']);
    for (const words of others) {
      const { code, error, result } = await admin(words);
      expect({ words, code, error: code === 0 ? '' : error }).toEqual({ words, code: 0, error: '' });
      expect(Object.keys(result).length).toBeGreaterThan(0);
    }
  }, 120_000);

  it('shows how to set a first password and create a token with it', async () => {
    // As the first start does.
    const created = await admin(['organization', 'create', '--name', 'First', '--email', 'admin@example.com']);
    expect(created.code).toBe(0);
    const [password, curl, ...more] = commandsIn(sectionOf(USERS, 'Users and tokens'));
    expect(more).toEqual([]);
    const set = await admin(password?.slice(5) ?? [], `${PASSWORD}\n`);
    expect({ code: set.code, error: set.code === 0 ? '' : set.error }).toEqual({ code: 0, error: '' });
    const answer = await send(requestOf(curl ?? []), { origin: test.origin, token: '', password: PASSWORD });
    expect(answer.status).toBe(201);
    const { token, ...fields } = (await answer.json()) as { token: string; name: string };
    expect(fields.name).toBe('CI pipeline');
    const own = await fetch(`${test.origin}/api/v2/users/me/`, { headers: { Authorization: `Token ${token}` } });
    expect([own.status, await own.json()]).toEqual([200, expect.objectContaining({ email: 'admin@example.com' })]);
  });

  it('lists only existing requests for users and tokens', () => {
    const operations = operationsOf(test.document);
    const cells = [...sectionOf(USERS, 'Users and tokens').matchAll(/^\|[^|]+\|([^|]+)\|[^|]+\|$/gm)].slice(2);
    expect(cells.length).toBeGreaterThan(7);
    for (const [, cell = ''] of cells) {
      const words = [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, word = '']) => word.split(' '));
      const paths = words.filter((word) => word.startsWith('/'));
      const methods = words.filter((word) => /^[A-Z]+$/.test(word));
      const plain = (path: string): string => path.replace(/\{\w+\}/g, '{}');
      const ofPath = (path: string) =>
        operations.filter((operation) => plain(operation.path) === plain(`/api/v2${path}`));
      const known = paths.flatMap((path) => ofPath(path).map(({ method }) => method));
      expect(paths.filter((path) => path !== '/library/' && !ofPath(path).length)).toEqual([]);
      // Some rows name paths of the row above, or everything below a path.
      if (!paths.includes('/library/') && known.length > 1)
        expect(methods.filter((method) => !known.includes(method))).toEqual([]);
    }
  });
});
