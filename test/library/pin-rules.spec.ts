import { howTo, validLibrary } from '#test/support/valid-library.js';
import { checkLibrary } from './check-library.ts';
import { isOutdated, outdatedPins } from './pin-rules.ts';

const COMMIT = '3d3c42e5aac5ba805825da76410c181273ba90b1';

/** The errors of a library whose how-to has this line in a workflow. */
const errorsOf = (line: string, reviewed = '2026-11-29'): string[] =>
  checkLibrary({
    ...validLibrary,
    howTos: [{ ...howTo, reviewed_at: reviewed, text: `${howTo.text}\n\n\`\`\`yaml\n${line}\n\`\`\`` }],
  });

describe('Pin rules', () => {
  it.each([
    `- uses: actions/checkout@${COMMIT} # v7.0.1`,
    '- uses: github/codeql-action/init@8aad20d150bbac5944a9f9d289da16a4b0d87c1e # v4.36.2',
    '- uses: ./.github/actions/build',
    'image: ghcr.io/gitleaks/gitleaks:v8.30.1',
    'image: ghcr.io/zaproxy/zaproxy:2.17.0@sha256:REPLACE_WITH_DIGEST',
    'image: registry.example.com/orders:4.2.1',
  ])('accept %s', (line) => {
    expect(errorsOf(line)).toEqual([]);
  });

  it.each([
    ['- uses: actions/checkout@v7', 'I1 pins actions/checkout to v7, but its known release is v7.0.1'],
    [
      `- uses: actions/checkout@${COMMIT} # v7.0.0`,
      `I1 pins actions/checkout to ${COMMIT} # v7.0.0, but its known release is v7.0.1`,
    ],
    [
      '- uses: someone/action@0123456789012345678901234567890123456789 # v1.0.0',
      'I1 pins someone/action, whose release date is not in test/library/pin-rules.ts',
    ],
    [
      'image: ghcr.io/gitleaks/gitleaks:v8.24.0',
      'I1 pins ghcr.io/gitleaks/gitleaks to v8.24.0, but its known release is v8.30.1',
    ],
  ])('reject %s', (line, error) => {
    expect(errorsOf(line)).toEqual([error]);
  });

  it('reject what was more than a year old at the review', () => {
    expect(isOutdated({ version: 'v1', released: '2025-11' }, '2026-11-29')).toBe(false);
    expect(isOutdated({ version: 'v1', released: '2025-10' }, '2026-11-29')).toBe(true);
    expect(isOutdated({ version: 'v1', released: '2025-08', latestIn: '2026-07' }, '2026-11-29')).toBe(false);
  });

  it('tell authors what to renew', () => {
    expect(outdatedPins('2026-11-29')).toEqual([]);
    expect(outdatedPins('2027-04-01')).toContain(
      'aws-actions/configure-aws-credentials v6.0.0 is more than 12 months old: look for a newer release.',
    );
  });
});
