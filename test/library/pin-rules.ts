import type { Rule } from '#content/library/schema/library-parts.js';
import { blocksOf } from '../how-tos/code-blocks.ts';

/** A release of a GitHub action or of a tool that how-tos pin. */
interface Release {
  readonly version: string;
  /** For an action, the commit of the release. */
  readonly commit?: string;
  /** Year and month of the release. */
  readonly released: string;
  /** Year and month in which it was still the latest one, if it is older than a year. */
  readonly latestIn?: string;
}

/** Looked up in the projects' releases, or in pull requests that update to them, on 2026-11-29. */
const RELEASES: Readonly<Record<string, Release>> = {
  'actions/attest': {
    version: 'v4.1.1',
    commit: 'a1948c3f048ba23858d222213b7c278aabede763',
    released: '2026-06',
  },
  'actions/checkout': {
    version: 'v7.0.1',
    commit: '3d3c42e5aac5ba805825da76410c181273ba90b1',
    released: '2026-07',
  },
  'actions/download-artifact': {
    version: 'v8.0.1',
    commit: '3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c',
    released: '2026-03',
  },
  'actions/setup-node': {
    version: 'v7.0.0',
    commit: '820762786026740c76f36085b0efc47a31fe5020',
    released: '2026-07',
  },
  'actions/upload-artifact': {
    version: 'v7.0.1',
    commit: '043fb46d1a93c77aae656e7c1c64a875d1fc6a0a',
    released: '2026-04',
  },
  'aws-actions/configure-aws-credentials': {
    version: 'v6.0.0',
    commit: '8df5847569e6427dd6c4fb1cf565c83acfa8afa7',
    released: '2026-02',
  },
  'ghcr.io/gitleaks/gitleaks': { version: 'v8.30.1', released: '2026-03' },
  'github/codeql-action': {
    version: 'v4.36.2',
    commit: '8aad20d150bbac5944a9f9d289da16a4b0d87c1e',
    released: '2026-06',
  },
  'google-github-actions/auth': {
    version: 'v3.0.0',
    commit: '7c6bc770dae815cd3e89ee6cdf493a5fab2cc093',
    released: '2025-08',
    latestIn: '2026-07',
  },
  'pypa/gh-action-pypi-publish': {
    version: 'v1.14.2',
    commit: 'dc37677b2e1c63e2034f94d8a5b11f265b73ba33',
    released: '2026-07',
  },
};

const MAX_AGE_MONTHS = 12;

/** Months since the year 0 of `2026-07` or `2026-07-20`. */
const monthsOf = (date: string): number => {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return year * 12 + month;
};

/** Whether a release is too old on a day, unless it is still the latest one. */
export const isOutdated = ({ released, latestIn = released }: Release, day: string): boolean =>
  monthsOf(day) - monthsOf(latestIn) > MAX_AGE_MONTHS;

/** An action in a workflow: `uses: OWNER/NAME/PATH@COMMIT # VERSION`. Local ones begin with a point. */
const ACTION = /\buses: (?<name>[\w-]+\/[\w-]+)(?:\/[\w/-]+)?@(?<commit>\S+)(?: # (?<version>\S+))?/gu;
/** An image of a public registry for tools, with a tag and without a digest. */
const IMAGE = /\b(?<name>(?:ghcr|quay)\.io\/[\w./-]+):(?<version>v?\d[\w.-]*)(?!\S*@sha256:)/gu;

interface Use {
  readonly name: string;
  readonly version: string | undefined;
  readonly commit: string | undefined;
}

const usesOf = (code: string): Use[] =>
  [...code.matchAll(ACTION), ...code.matchAll(IMAGE)].map(({ groups: { name = '', version, commit } = {} }) => ({
    name,
    version,
    commit,
  }));

/** Why a pinned action or image is not acceptable in a how-to that was reviewed on a day; undefined if it is. */
function faultOf({ name, version, commit }: Use, reviewed: string): string | undefined {
  const release = RELEASES[name];
  if (!release) return `pins ${name}, whose release date is not in test/library/pin-rules.ts`;
  if (version !== release.version || commit !== release.commit)
    return `pins ${name} to ${[commit, version].filter(Boolean).join(' # ')}, but its known release is ${release.version}`;
  return isOutdated(release, reviewed)
    ? `pins ${name} ${release.version}, which was more than ${MAX_AGE_MONTHS} months old on ${reviewed}`
    : undefined;
}

/** Actions and images of tools are pinned to releases that were at most a year old at the how-to's last review. */
const pinsAreRecent: Rule = ({ howTos }) =>
  howTos.flatMap(({ id, text, reviewed_at: reviewed = '' }) =>
    blocksOf(id, text)
      .filter(({ language }) => language === 'yaml')
      .flatMap(({ code }) => usesOf(code))
      .flatMap((use) => faultOf(use, reviewed) ?? [])
      .map((fault) => `${id} ${fault}`),
  );

/** Rules for what code pins. */
export const PIN_RULES: readonly Rule[] = [pinsAreRecent];

/** The releases that are outdated by a day, for authors: a how-to that pins one needs a review. */
export const outdatedPins = (day: string): string[] =>
  Object.entries(RELEASES)
    .filter(([, release]) => isOutdated(release, day))
    .map(
      ([name, { version }]) =>
        `${name} ${version} is more than ${MAX_AGE_MONTHS} months old: look for a newer release.`,
    );
