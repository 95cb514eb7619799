import { Ajv } from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { renderTemplate } from '../support/helm-templates.js';

const docker = path.resolve(import.meta.dirname, '../../docker');
const read = (file: string): string => readFileSync(path.join(docker, file), 'utf8');

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

type Values = Record<string, unknown>;

const chart = parse(read('helm/Chart.yaml')) as { appVersion: string };
const defaults = parse(read('helm/values.yaml')) as Values;
const templates = readdirSync(path.join(docker, 'helm/templates')).map((name) => read(`helm/templates/${name}`));
const isValid = new Ajv().compile(JSON.parse(read('helm/values.schema.json')) as object);

const manifestsIn = (yaml: string): Manifest[] =>
  parseAllDocuments(yaml).flatMap((document) => {
    expect(document.errors).toEqual([]);
    return document.contents === null ? [] : [document.toJS() as Manifest];
  });

function manifestsOf(values: Values): Manifest[] {
  const all = {
    Values: values,
    Release: { Namespace: 'merlon', Revision: 7 },
    Chart: { AppVersion: chart.appVersion },
  };
  return templates.flatMap((template) => manifestsIn(renderTemplate(template, all)));
}

/** The values with another one at this path. */
function withValue([name = '', ...rest]: readonly string[], value: unknown, values: Values): Values {
  return { ...values, [name]: rest.length ? withValue(rest, value, values[name] as Values) : value };
}

/** The paths of all values that are not objects. */
function pathsOf(values: Values): string[][] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'object' ? pathsOf(value as Values).map((rest) => [name, ...rest]) : [[name]],
  );
}

const valueAt = (names: readonly string[]): unknown =>
  names.reduce<unknown>((value, name) => (value as Values)[name], defaults);

/** Another valid value of the same kind. */
function otherThan(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  return /^\d+(m|Mi|Gi)$/.test(String(value)) ? '123Mi' : 'another';
}

const byKind = (a: Manifest, b: Manifest): number =>
  `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`);

describe('The Helm chart', () => {
  it('makes the manifests of docker/k8s from its default values', () => {
    const { resources, images } = parse(read('k8s/kustomization.yaml')) as {
      resources: string[];
      images: { name: string; newName: string; newTag: string }[];
    };
    const [image] = images;
    // `helm install --create-namespace` makes the namespace, and each revision has a Job for its set-up.
    const expected = resources
      .filter((name) => name !== 'namespace.yaml')
      .flatMap((name) =>
        manifestsIn(read(`k8s/${name}`).replace(/image: merlon$/gm, `image: ${image?.newName}:${image?.newTag}`)),
      );
    const rendered = manifestsOf(defaults).map((manifest) =>
      manifest.kind === 'Job' ? { ...manifest, metadata: { ...manifest.metadata, name: 'merlon-setup' } } : manifest,
    );
    expect(rendered.length).toBeGreaterThan(10);
    expect(rendered.sort(byKind)).toEqual(expected.sort(byKind));
  });

  it('gives the set-up of each revision its own Job', () => {
    const jobs = manifestsOf(defaults).filter(({ kind }) => kind === 'Job');
    expect(jobs.map(({ metadata }) => metadata.name)).toEqual(['merlon-setup-7']);
  });

  it.each(pathsOf(defaults).map((names) => [names.join(' '), names] as const))(
    'uses the value and checks its type: %s',
    (_name, names) => {
      const changed = withValue(names, otherThan(valueAt(names)), defaults);
      expect([isValid(changed), isValid.errors]).toEqual([true, null]);
      expect(manifestsOf(changed)).not.toEqual(manifestsOf(defaults));
      expect(isValid(withValue(names, ['a list'], defaults))).toBe(false);
    },
  );

  it.each([
    ['an unknown name', ['image', 'tags'], 'latest'],
    ['an address as the host', ['host'], 'https://merlon.example.com'],
    ['a number as a setting', ['settings', 'DATABASE_POOL_SIZE'], 10],
    ['a public URL in addition to the host', ['settings', 'PUBLIC_URL'], 'https://other.example.com'],
    ['no replica', ['worker', 'replicas'], 0],
    ['a name that Kubernetes does not accept', ['secrets', 'service'], 'My secret'],
  ])('rejects %s', (_what, names, value) => {
    expect(isValid(defaults)).toBe(true);
    expect(isValid(withValue(names, value, defaults))).toBe(false);
  });

  it.each([
    ['backup', ['CronJob', 'PersistentVolumeClaim']],
    ['ingress', ['Ingress']],
    ['networkPolicy', ['NetworkPolicy']],
  ])('leaves out what is off: %s', (part, kinds) => {
    const kindsOf = (values: Values) => new Set(manifestsOf(values).map(({ kind }) => kind));
    const off = kindsOf(withValue([part, 'enabled'], false, defaults));
    expect([...kindsOf(defaults)].filter((kind) => !off.has(kind)).sort()).toEqual(kinds);
  });

  it('takes the version of the image from its values, if they have one', () => {
    const pinned = JSON.stringify(manifestsOf(withValue(['image', 'tag'], '9.9.9', defaults)));
    expect(pinned).toContain('registry.example.com/merlon:9.9.9');
    expect(pinned).not.toContain(`merlon:${chart.appVersion}`);
  });

  it.each(['{{ include "name" . }}', '{{- range .Values.settings }}', '{{ .Values.unknown }}', '{{.Values.host}}'])(
    'has no templates that its tests cannot render: %s',
    (template) => {
      expect(() => renderTemplate(template, { Values: defaults })).toThrow(/not understood|no value/);
    },
  );
});
