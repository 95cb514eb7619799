import { existsSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfiguration } from '#platform/configuration.js';
import { commandsIn, documentation } from '../support/shell-examples.js';

const root = path.resolve(import.meta.dirname, '../..');
const PAGES = [
  'docs/operate/backup.md',
  'docs/operate/configuration.md',
  'docs/operate/kubernetes.md',
  'docs/operate/telemetry.md',
];
const COMMANDS = PAGES.flatMap((page) => commandsIn(documentation(page)).map((words) => ({ page, words })));
const commandsOf = (...program: string[]) =>
  COMMANDS.filter(({ words }) => program.every((word, place) => words[place] === word));

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}
interface Kustomization {
  readonly images: readonly { readonly newName: string; readonly newTag: string }[];
}
interface Compose {
  readonly services: Readonly<Record<string, object>>;
}

/** Where the SDK of OpenTelemetry reads the variables that Merlon leaves to it. */
const SDK = documentation('node_modules/@opentelemetry/sdk-node/dist/create-from-env.mjs');
const SETTINGS = documentation('docs/operate/settings.md');
const isKnown = (name: string, value: string): boolean =>
  SETTINGS.includes(`| \`${name}\` |`) ||
  (SDK.includes(`"${name}"`) && (SDK.includes(`"${value}"`) || Number.isFinite(Number(value))));

const yaml = (file: string): unknown => parse(documentation(file));
const manifests = (file: string): Manifest[] =>
  parseAllDocuments(documentation(file)).map((document) => document.toJS() as Manifest);

describe('The pages for operators, in commands that need Docker, a cluster or a collector', () => {
  it('name only files that exist', () => {
    const named = COMMANDS.flatMap(({ page, words }) =>
      words.filter((word) => /^docker\/[\w./-]+$/.test(word)).map((file) => ({ page, file })),
    );
    expect(named.length).toBeGreaterThan(10);
    // The reader makes this one.
    const missing = named.filter(({ file }) => file !== 'docker/.env' && !existsSync(path.join(root, file)));
    expect(missing).toEqual([]);
  });

  it('list only files of the manifests that exist', () => {
    const rows = documentation('docs/operate/kubernetes.md').matchAll(/^\| (`[^|]+`) \|/gm);
    const named = [...rows].flatMap(([, names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    expect(named.length).toBeGreaterThan(7);
    expect(named.filter((name) => !existsSync(path.join(root, 'docker/k8s', name)))).toEqual([]);
  });

  it('use only subcommands and services of Compose that exist', () => {
    const { services } = yaml('docker/compose.yaml') as Compose;
    const composed = commandsOf('docker', 'compose').map(({ words }) => words.slice(2));
    expect(composed).toHaveLength(5);
    for (const [option, , subcommand = '', ...rest] of composed) {
      expect(option).toBe('-f');
      expect(['up', 'run', 'stop', 'start']).toContain(subcommand);
      if (subcommand === 'up') continue;
      const names = rest.filter((word, place) => !word.startsWith('--') && rest[place - 1] !== '--volume');
      const used = subcommand === 'run' ? names.slice(0, 1) : names;
      expect(used.length).toBeGreaterThan(0);
      expect(used.filter((name) => !(name in services))).toEqual([]);
    }
  });

  it('build the image that the manifests and the chart run', () => {
    const [build] = commandsOf('docker', 'build');
    const image = build?.words[build.words.indexOf('-t') + 1];
    const { images } = yaml('docker/k8s/kustomization.yaml') as Kustomization;
    expect(images.map(({ newName, newTag }) => `${newName}:${newTag}`)).toEqual([image]);
    expect(build?.words.slice(-3)).toEqual(['docker', 'push', image]);
    const { version } = JSON.parse(documentation('package.json')) as { version: string };
    expect(image).toMatch(new RegExp(`:${version.replaceAll('.', '\\.')}$`));
    const { image: chart } = yaml('docker/helm/values.yaml') as { image: { repository: string } };
    expect(image).toBe(`${chart.repository}:${version}`);
  });

  it('wait for a job that the manifests create in their namespace', () => {
    const waiting = commandsOf('kubectl', '-n').map(({ words }) => words);
    expect(waiting).toHaveLength(1);
    const [, , namespace = '', subcommand, ...rest] = waiting[0] ?? [];
    expect(subcommand).toBe('wait');
    expect(manifests('docker/k8s/namespace.yaml')).toMatchObject([{ metadata: { name: namespace } }]);
    const objects = manifests('docker/k8s/setup.yaml').map(
      ({ kind, metadata }) => `${metadata.namespace} ${kind.toLowerCase()}/${metadata.name}`,
    );
    const job = rest.find((word) => word.includes('/'));
    expect(objects).toContain(`${namespace} ${job}`);
    for (const { words } of commandsOf('helm')) expect(words[words.indexOf('--namespace') + 1]).toBe(namespace);
  });

  it.each(PAGES.filter((page) => /^export /m.test(documentation(page))))('export valid settings: %s', (page) => {
    const exported = COMMANDS.filter(({ page: each, words }) => each === page && words[0] === 'export');
    const values = exported.map(({ words }) => {
      const assignment = words.slice(1).join(' ').replace('$(openssl rand -hex 32)', 'f'.repeat(64));
      const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(assignment) ?? [];
      return [name, value] as const;
    });
    expect(values.filter(([name, value]) => !isKnown(name, value))).toEqual([]);
    expect(() => loadConfiguration({ SECRET_KEY: 'k'.repeat(40), ...Object.fromEntries(values) })).not.toThrow();
  });
});
