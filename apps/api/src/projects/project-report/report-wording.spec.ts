import { editionOf } from './report-wording.js';

describe('A regulation in a project report', () => {
  it.each([
    ['OWASP ASVS', '5.0.0', 'OWASP ASVS 5.0.0'],
    ['OWASP Top 10 2025', '2025', 'OWASP Top 10 2025'],
    ['GDPR', '', 'GDPR'],
  ])('has its version once: %s, %s', (name, version, expected) =>
    expect(editionOf({ id: 'REG1', name, version })).toBe(expected),
  );
});
