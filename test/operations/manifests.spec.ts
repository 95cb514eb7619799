import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { EVENTS } from '#domain/notifications/webhook/webhook.rules.js';
import { loadConfiguration } from '#platform/configuration.js';
import { settings } from '#platform/settings.js';
import { useTestApi } from '../support/api.js';
import { freePort } from '../support/free-port.js';
import { startTestWorker } from '../support/worker.js';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'docker/k8s');

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: string[];
  readonly command?: string[];
  readonly env?: { readonly name: string }[];
  readonly envFrom?: { readonly configMapRef?: { name: string }; readonly secretRef?: { name: string } }[];
  readonly ports?: { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources: { requests: Record<string, string>; limits: Record<string, string> };
  readonly securityContext: object;
  readonly volumeMounts: { readonly name: string; readonly mountPath: string }[];
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface PodSpec {
  readonly securityContext: object;
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: Container[];
  readonly volumes: { readonly name: string; readonly emptyDir?: object }[];
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Record<string, string>;
  readonly stringData?: Record<string, string>;
  readonly spec: Record<string, unknown>;
}

interface Kustomization {
  readonly resources: string[];
  readonly images: readonly { readonly name: string }[];
}

const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.yaml'));
const kustomizationOf = async (kustomizationFolder: string): Promise<Kustomization> =>
  parse(await readFile(path.join(folder, kustomizationFolder, 'kustomization.yaml'), 'utf8')) as Kustomization;
const kustomization = await kustomizationOf('.');
const restore = await kustomizationOf('restore');
const manifests: Manifest[] = [];
for (const name of files.filter((file) => path.basename(file) !== 'kustomization.yaml'))
  for (const document of parseAllDocuments(await readFile(path.join(folder, name), 'utf8'))) {
    expect([name, document.errors]).toEqual([name, []]);
    manifests.push(document.toJS() as Manifest);
  }

/** The pods that a manifest makes. */
function podOf({ kind, spec }: Manifest): { labels: Record<string, string>; spec: PodSpec } | undefined {
  const job = kind === 'CronJob' ? (spec['jobTemplate'] as Manifest).spec : spec;
  const template = job?.['template'] as { metadata: { labels: Record<string, string> }; spec: PodSpec } | undefined;
  return template && { labels: template.metadata.labels, spec: template.spec };
}

const pods = manifests.flatMap((manifest) => {
  const pod = podOf(manifest);
  return pod ? [{ name: manifest.metadata.name, ...pod }] : [];
});
const containers = pods.flatMap(({ name, spec }) =>
  spec.containers.map((container) => ({ of: name, spec, container })),
);
const manifestNamed = (kind: string, name: string): Manifest => {
  const match = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!match) throw new Error(`There is no ${kind} ${name}.`);
  return match;
};

/** The environment that a container gets. */
function environmentOf({ env = [], envFrom = [] }: Container): Record<string, string> {
  const sources = envFrom.map(({ configMapRef, secretRef }) =>
    configMapRef
      ? manifestNamed('ConfigMap', configMapRef.name).data
      : manifestNamed('Secret', secretRef?.name ?? '').stringData,
  );
  return Object.assign(Object.fromEntries(env.map(({ name }) => [name, ''])), ...sources) as Record<string, string>;
}

describe('The Kubernetes manifests', () => {
  it('are all applied, except for examples', () => {
    const applied = [...kustomization.resources, ...restore.resources.map((name) => `restore/${name}`)];
    const isApplied = (name: string) => path.basename(name) !== 'kustomization.yaml' && !name.endsWith('.example.yaml');
    expect(applied.sort()).toEqual(files.filter(isApplied).sort());
    expect(restore.images).toEqual(kustomization.images);
    expect(kustomization.images.map(({ name }) => name)).toEqual([
      ...new Set(containers.map(({ container }) => container.image)),
    ]);
  });

  it('use one namespace that enforces the restricted pod security standard', () => {
    expect(manifestNamed('Namespace', 'merlon').metadata).toMatchObject({
      labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
    });
    for (const { kind, metadata } of manifests)
      if (kind !== 'Namespace')
        expect([kind, metadata.name, metadata.namespace]).toEqual([kind, metadata.name, 'merlon']);
  });

  it.each(containers)('use only existing settings with valid values: $of', ({ container }) => {
    const environment = environmentOf(container);
    expect(Object.keys(environment).filter((name) => !(name in settings.shape))).toEqual([]);
    expect(() => loadConfiguration(environment)).not.toThrow();
    expect(environment).toMatchObject({ DATABASE_URL: expect.any(String), SECRET_KEY: expect.any(String) });
    // Pods share no disk.
    expect(environment['STORAGE_URL']).toMatch(/^s3:/);
  });

  it.each(containers)('connect as the owner of the database only where it is required: $of', ({ of, container }) => {
    const { DATABASE_URL = '', DATABASE_OWNER_URL } = environmentOf(container);
    expect(new URL(DATABASE_URL).username).toBe('merlon_app');
    expect(DATABASE_OWNER_URL !== undefined).toBe(!['merlon-api', 'merlon-worker'].includes(of));
  });

  it.each(containers)('run as non-root on a read-only file system with resource limits: $of', ({ spec, container }) => {
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources).toMatchObject({
      requests: { cpu: expect.any(String), memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    });
    const mounted = container.volumeMounts.map(({ name }) => name).sort();
    expect(mounted).toEqual(spec.volumes.map(({ name }) => name).sort());
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(expect.arrayContaining(['/tmp', '/data']));
    const { name } = container.volumeMounts.find(({ mountPath }) => mountPath === '/tmp') ?? {};
    const temporary = spec.volumes.find((volume) => volume.name === name);
    expect(temporary?.emptyDir).toEqual({ sizeLimit: expect.stringMatching(/^\d+[MG]i$/) });
  });

  it.each(containers)('call only programs and commands that the image has: $of', async ({ container }) => {
    const entrypoint = await readFile(path.join(root, 'docker/entrypoint.sh'), 'utf8');
    const dockerfile = await readFile(path.join(root, 'docker/Dockerfile'), 'utf8');
    expect(dockerfile).toContain('ENTRYPOINT ["/bin/sh", "/app/docker/entrypoint.sh"]');
    const words = container.args ?? /entrypoint\.sh (.*)$/.exec(container.command?.at(-1) ?? '')?.[1]?.split(' ') ?? [];
    const [program = '', command] = words;
    expect(entrypoint).toMatch(new RegExp(`^ {2}(.*\\| )?${program}( \\|.*)?\\)$`, 'm'));
    expect(['api', 'worker'].includes(program) ? [undefined] : ['setup', 'backup', 'restore']).toContain(command);
  });

  it('allow more time for termination than the processes need', () => {
    const grace = Number(manifestNamed('ConfigMap', 'merlon').data?.['SHUTDOWN_GRACE_SECONDS']);
    for (const name of ['merlon-api', 'merlon-worker'])
      expect(podOf(manifestNamed('Deployment', name))?.spec.terminationGracePeriodSeconds).toBeGreaterThan(grace + 10);
  });

  it('select existing pods and ports', () => {
    const selectors = manifests.flatMap(({ kind, metadata, spec }) => {
      const selector = (spec?.['selector'] ?? spec?.['podSelector']) as Record<string, unknown> | undefined;
      const labels = (selector?.['matchLabels'] ?? selector) as Record<string, string> | undefined;
      return labels ? [{ kind, name: metadata.name, labels }] : [];
    });
    expect(selectors.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['Service', 'Deployment', 'PodDisruptionBudget', 'NetworkPolicy']),
    );
    for (const { kind, name, labels } of selectors) {
      const selected = pods.filter((pod) => Object.entries(labels).every(([key, value]) => pod.labels[key] === value));
      expect([kind, name, selected.length]).not.toEqual([kind, name, 0]);
    }
    const ports = (component: string) =>
      podOf(manifestNamed('Deployment', `merlon-${component}`))?.spec.containers[0]?.ports;
    expect(manifestNamed('Service', 'merlon-api').spec['ports']).toEqual([
      { name: 'http', port: 80, targetPort: ports('api')?.[0]?.name },
    ]);
    const defaults = loadConfiguration({});
    expect(ports('api')?.[0]?.containerPort).toBe(defaults.port);
    expect(ports('worker')?.[0]?.containerPort).toBe(defaults.workerPort);
    const allowed = (name: string) =>
      (manifestNamed('NetworkPolicy', name).spec['ingress'] as { ports: { port: number }[] }[]).flatMap((rule) =>
        rule.ports.map(({ port }) => port),
      );
    expect(allowed('merlon-api')).toEqual([defaults.port]);
    expect(allowed('merlon-worker')).toEqual([defaults.workerPort]);
    expect(manifestNamed('HorizontalPodAutoscaler', 'merlon-api').spec['scaleTargetRef']).toMatchObject({
      kind: 'Deployment',
      name: 'merlon-api',
    });
  });

  describe('compared with the running services', () => {
    const test = useTestApi();
    const probesOf = (component: string): Probe[] => {
      const container = podOf(manifestNamed('Deployment', `merlon-${component}`))?.spec.containers[0];
      const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe];
      for (const probe of probes) expect(probe?.httpGet.port).toBe(container?.ports?.[0]?.name);
      return probes.filter((probe) => probe !== undefined);
    };

    it('probe the API at paths that return 200', async () => {
      const probes = probesOf('api');
      expect(probes).toHaveLength(3);
      for (const { httpGet } of probes) expect((await fetch(`${test.origin}${httpGet.path}`)).status).toBe(200);
    });

    it('probe a worker at paths that return 200', async () => {
      const port = await freePort();
      const worker = await startTestWorker({ DATABASE_URL: test.database.applicationUrl, WORKER_PORT: String(port) });
      try {
        for (const { httpGet } of probesOf('worker'))
          expect((await fetch(`http://127.0.0.1:${port}${httpGet.path}`)).status).toBe(200);
      } finally {
        await worker.stop();
      }
    });

    it('expose everything that the API serves, except for metrics and health', async () => {
      const rules = manifestNamed('Ingress', 'merlon').spec['rules'] as {
        http: { paths: { path: string; pathType: string }[] };
      }[];
      const paths = rules.flatMap(({ http }) => http.paths);
      const open = paths.map(({ path }) => path);
      const prefixes = paths.filter(({ pathType }) => pathType === 'Prefix').map(({ path }) => path);
      expect(
        prefixes.filter((path) => ['/', '/metrics', '/healthz', '/readyz'].some((closed) => closed.startsWith(path))),
      ).toEqual([]);
      const used = Object.keys(test.document.paths).map((documented) => `/${documented.split('/')[1]}`);
      const linked = Object.values(EVENTS).map(({ folder }) => `/${folder}`);
      for (const prefix of new Set([
        ...used,
        ...linked,
        '/assets',
        '/docs',
        '/library',
        '/my-work',
        '/reports',
        '/administration',
        '/account',
        '/openapi.json',
        '/setup',
        '/static',
      ]))
        expect([prefix, open.some((path) => path.replace(/\/$/, '') === prefix)]).toEqual([prefix, true]);
    });
  });
});
