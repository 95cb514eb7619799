import { editionOf } from './regulation.fields.js';

describe('The edition of a regulation', () => {
  it.each([
    ['OWASP ASVS', '5.0.0', 'OWASP ASVS 5.0.0'],
    ['OWASP Top 10 2025', '2025', 'OWASP Top 10 2025'],
    ['GDPR', '', 'GDPR'],
  ])('has its version once: %s, %s', (name, version, expected) => expect(editionOf({ name, version })).toBe(expected));
});
