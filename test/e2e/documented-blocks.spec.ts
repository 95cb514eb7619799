import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { documentation } from '../support/shell-examples.js';

const root = path.resolve(import.meta.dirname, '../..');
const PAGES = globSync('docs/{use,integrate,operate}/*.md', { cwd: root }).sort();

/** The suite that executes an example, or the reason why none does. */
type Cover = { readonly suite: string } | { readonly reason: string };
const by = (suite: string): Cover => ({ suite });
const not = (reason: string): Cover => ({ reason });

const access = by('test/e2e/documented-access.spec.ts');
const clients = by('test/e2e/documented-clients.spec.ts');
const commands = by('test/e2e/documented-commands.spec.ts');
const deployment = 'test/e2e/documented-deployment.spec.ts checks the names in it';
const files = by('test/e2e/documented-files.spec.ts');
const first = by('test/e2e/first-requests.spec.ts');
const requests = by('test/e2e/documented-requests.spec.ts');
const walk = by('test/e2e/walk-through.spec.ts');
const preparation = not('defines what the other examples use');

/** All examples of shell and JSON, in order, each by how it begins. */
const EXAMPLES: Readonly<Record<string, readonly (readonly [begin: string, cover: Cover])[]>> = {
  'docs/integrate/api-batches.md': [
    ['{\n  "composite_request"', clients],
    ['{\n  "composite_response"', clients],
  ],
  'docs/integrate/api.md': [
    ['API=', preparation],
    ['merlon "$API/library/tasks/?page_size', first],
    ['merlon "$API/library/tasks/" -d \'{\n  "title": "Rotate', first],
    ['merlon -X PATCH "$API/library/tasks/T1/"', first],
    ['merlon "$API/library/tasks/" -d \'{"title": ""', first],
    ['{', first],
    ['merlon "$API/composite/"', first],
    ['merlon "$API/users/me/"', first],
    ["merlon -H 'Prefer", first],
  ],
  'docs/integrate/ci.md': [
    ['curl -u', access],
    ['export MERLON_TOKEN=…\nnpx merlon-gate', access],
  ],
  'docs/integrate/clients.md': [['pipx run', not('needs Python and a package of its registry')]],
  'docs/integrate/mcp.md': [['{\n  "mcpServers"', clients]],
  'docs/integrate/trackers.md': [
    ['{', requests],
    ['{', requests],
  ],
  'docs/integrate/webhooks.md': [['{\n  "type"', by('test/e2e/documented-messages.spec.ts')]],
  'docs/operate/backup.md': [
    ['npm run -s admin -- backup', files],
    ['docker compose', not(`needs Docker; ${deployment}, and the suite of files runs its admin commands`)],
    ['# Embedded', files],
  ],
  'docs/operate/configuration.md': [
    ['export DATABASE_URL', not(`needs a server of the reader; ${deployment}`)],
    ['cp docker/.env.example', not(`needs Docker; ${deployment}`)],
    ['npm run -s admin -- help', commands],
  ],
  'docs/operate/kubernetes.md': [
    ['docker build', not(`needs a cluster; ${deployment}`)],
    ['helm install', not(`needs a cluster; ${deployment}`)],
  ],
  'docs/operate/telemetry.md': [
    ['npm install', not('changes node_modules; test/e2e/documented-facts.spec.ts checks the version in it')],
    ['export OTEL_EXPORTER', not(`needs a collector; ${deployment}`)],
    ['export OTEL_TRACES_SAMPLER', not(`needs a collector; ${deployment}`)],
  ],
  'docs/use/identity-providers.md': [['curl', access]],
  'docs/use/public-catalogs.md': [['npm run -s admin -- library import-catalog', files]],
  'docs/use/search.md': [['curl', requests]],
  'docs/use/sign-in.md': [['curl', access]],
  'docs/use/tokens.md': [['curl', access]],
  'docs/use/users-and-tokens.md': [['npm run -s admin -- user password', commands]],
  'docs/use/walk-through.md': [
    ['API=', preparation],
    ['merlon', walk],
    ['merlon', walk],
    ['merlon', walk],
    ['merlon', walk],
    ['merlon', walk],
  ],
};

/** Every fence, also one in a list, in a quotation or of tildes. */
const FENCES = /^[ \t>]*(?:`{3,}|~{3,})[ \t]*(?:sh|bash|zsh|shell|console|json\w*)\b/gim;
/** What the suites find. */
const BLOCKS = /^```(?:sh|json)\n(.*?)^```$/gms;

const blocksOf = (page: string): string[] => [...documentation(page).matchAll(BLOCKS)].map(([, block = '']) => block);
const covers = Object.entries(EXAMPLES).flatMap(([page, examples]) => examples.map(([, cover]) => ({ page, cover })));

describe('The examples of shell and JSON for users, integrators and operators', () => {
  it('are all executed by a suite, or are in the list with a reason', () => {
    const found = PAGES.map((page) => [page, blocksOf(page)] as const).filter(([, blocks]) => blocks.length);
    // An example that begins as the list says is shown as in the list, and any other one as it is.
    const shown = found.map(([page, blocks]) => [
      page,
      blocks.map((block, place) => {
        const [begin] = EXAMPLES[page]?.[place] ?? [];
        return begin !== undefined && block.startsWith(begin) ? begin : block;
      }),
    ]);
    const listed = Object.entries(EXAMPLES).map(([page, examples]) => [page, examples.map(([begin]) => begin)]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(listed));
  });

  it('are written as the suites find them: ```sh or ```json at the beginning of a line', () => {
    const counts = PAGES.map((page) => [page, documentation(page).match(FENCES)?.length ?? 0]);
    expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(PAGES.map((page) => [page, blocksOf(page).length])));
  });

  it('are executed by suites that exist and read their page', () => {
    const text = (file: string): string =>
      existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : '';
    const wrong = covers.filter(({ page, cover }) => {
      if ('suite' in cover) return !text(cover.suite).includes(page);
      const [suite] = /test\/[\w/.-]+\.ts/.exec(cover.reason) ?? [];
      return cover.reason === '' || (suite !== undefined && !text(suite).includes(page));
    });
    expect(wrong).toEqual([]);
  });
});
