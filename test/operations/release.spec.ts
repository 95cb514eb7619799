import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/worker.js';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const versionIn = (file: string): string => (JSON.parse(read(file)) as { version: string }).version;

const KUSTOMIZATIONS = ['docker/k8s/kustomization.yaml', 'docker/k8s/restore/kustomization.yaml'];
const CHART = 'docker/helm/Chart.yaml';
const GATE = 'packages/gate/gitlab.yml';
const KUBERNETES = 'docs/operate/kubernetes.md';
const MANIFESTS = ['apps/console', 'packages/client', 'packages/gate', 'packages/toolchain'].map(
  (folder) => `${folder}/package.json`,
);

/** Versions in the entries of the repository's own packages. */
const lockedVersions = (text: string): unknown[] => {
  const { packages } = JSON.parse(text) as { packages: Record<string, { version?: string }> };
  return Object.entries(packages).flatMap(([at, { version }]) => (at.includes('node_modules/') ? [] : [version]));
};
const versionsIn = (text: string, pattern: RegExp): unknown[] => [...text.matchAll(pattern)].map(([, found]) => found);

describe('The version', () => {
  it('is the same in every place that states it', () => {
    const { version } = (JSON.parse(read('openapi.json')) as { info: { version: string } }).info;
    const tags = KUSTOMIZATIONS.map((file) => /newTag: (\S+)/.exec(read(file))?.[1]);
    const chart = parse(read(CHART)) as { version: string; appVersion: string };
    const images = versionsIn(read(KUBERNETES), /\/merlon:(\d\S*)/g);
    const gate = versionsIn(read(GATE), /merlon-gate@(\S+)/g);
    const locked = lockedVersions(read('package-lock.json'));
    expect([images.length, gate.length, locked.length]).toEqual([2, 1, 4]);
    const stated = [version, versionIn('package-lock.json'), ...tags, chart.version, chart.appVersion];
    stated.push(...MANIFESTS.map(versionIn));
    expect(new Set([...stated, ...images, ...gate, ...locked])).toEqual(new Set([versionIn('package.json')]));
  });
});

describe('npm version', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(path.join(folder.path, 'docker/k8s/restore'), { recursive: true });
    const scripted = ['scripts/version-step.mjs', 'scripts/toolchain.mjs', 'package-lock.json'];
    for (const file of [...scripted, ...KUSTOMIZATIONS, CHART, GATE, KUBERNETES, ...MANIFESTS])
      await cp(path.join(root, file), path.join(folder.path, file));
    const text = '# Changelog\n\n## [Unreleased]\n\nThe first release will contain:\n\n- A change.\n';
    await writeFile(path.join(folder.path, 'CHANGELOG.md'), text);
    // The document and the other generated files have tests of their own.
    const generate = `node -e "fs.writeFileSync('openapi.json', '{}')"`;
    const scripts = { generate, version: 'node scripts/version-step.mjs' };
    await writeFile(path.join(folder.path, 'package.json'), JSON.stringify({ version: '0.1.0', scripts }));
    await git('init', '--quiet');
    await git('config', 'user.email', 'ada@example.com');
    await git('config', 'user.name', 'Ada');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'Start');
  });
  afterAll(() => folder.remove());

  const inFolder = (program: string, words: readonly string[]) => run(program, words, { cwd: folder.path });
  const git = async (...words: string[]): Promise<string> => (await inFolder('git', words)).stdout.trim();

  it('brings the version to all places, dates the changes, commits and tags', async () => {
    await inFolder('npm', ['version', '0.2.0', '--message', 'Release %s']);
    expect(await git('tag')).toBe('v0.2.0');
    expect(await git('status', '--porcelain')).toBe('');
    expect(await git('log', '-1', '--format=%s')).toBe('Release 0.2.0');
    for (const file of KUSTOMIZATIONS)
      expect(await readFile(path.join(folder.path, file), 'utf8')).toContain('newTag: 0.2.0\n');
    const chart = parse(await readFile(path.join(folder.path, CHART), 'utf8')) as object;
    expect(chart).toMatchObject({ name: 'merlon', version: '0.2.0', appVersion: '0.2.0' });
    const written = (file: string): Promise<string> => readFile(path.join(folder.path, file), 'utf8');
    expect(await written(GATE)).toContain(' merlon-gate@0.2.0\n');
    expect(await written(KUBERNETES)).toContain(':0.2.0 . && docker push registry.example.com/merlon:0.2.0\n');
    expect(lockedVersions(await written('package-lock.json'))).toEqual(Array(4).fill('0.2.0'));
    for (const file of MANIFESTS) expect(await written(file)).toContain('\n  "version": "0.2.0",\n');
    const today = new Date().toISOString().slice(0, 10);
    expect(await readFile(path.join(folder.path, 'CHANGELOG.md'), 'utf8')).toBe(
      `# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - ${today}\n\n- A change.\n`,
    );
  });

  it('refuses a release without changes', async () => {
    await expect(inFolder('npm', ['version', '0.3.0'])).rejects.toThrow(
      'CHANGELOG.md has no changes under "Unreleased"',
    );
    expect(await git('tag')).toBe('v0.2.0');
  });
});

interface Component {
  readonly purl: string;
}

describe('The bill of materials', () => {
  it('lists every package that runs in production, with its version, in CycloneDX', async () => {
    const { stdout } = await run('npm', ['run', '-s', 'sbom'], { cwd: root, maxBuffer: 64e6 });
    const bill = JSON.parse(stdout) as {
      bomFormat: string;
      metadata: { component: Component };
      components: Component[];
    };
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { purl: `pkg:npm/merlon@${versionIn('package.json')}` } },
    });
    const listed = bill.components.map(({ purl }) => decodeURIComponent(purl.replace(/\?.*/, '')));
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const named = (packages: Record<string, string> = {}): string[] =>
      Object.entries(packages).map(([name, version]) => `pkg:npm/${name}@${version}`);
    expect(listed).toEqual(expect.arrayContaining(named(dependencies)));
    expect(
      named(devDependencies).filter((name) => /jest|playwright|stryker/.test(name) && listed.includes(name)),
    ).toEqual([]);
  });
});

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly uses?: string; readonly steps?: readonly { readonly uses?: string; readonly with?: object }[] }
    >
  >;
}

describe.each(readdirSync(path.join(root, '.github/workflows')))('The workflow %s', (name) => {
  const text = read(`.github/workflows/${name}`);
  const { jobs, permissions } = parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

  it('may only read unless a job says otherwise', () => {
    expect(permissions).toEqual({ contents: 'read' });
  });

  it('pins the actions of others to a commit, with the version in a comment', () => {
    const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, action = '']) => action);
    expect(used.filter((action) => !/^(\.\/|[\w/-]+@[0-9a-f]{40} # v\d)/.test(action))).toEqual([]);
  });

  it('leaves no credentials in the checkout', () => {
    for (const { uses, with: options } of steps)
      if (uses?.startsWith('actions/checkout@')) expect(options).toMatchObject({ 'persist-credentials': false });
  });
});
