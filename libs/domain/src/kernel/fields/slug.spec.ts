import { slugOf } from './slug.js';

describe('A slug', () => {
  it.each([
    ['Crème brûlée & Söhne', 'creme-brulee-sohne'],
    ['Ελληνικά 2', 'ελληνικα-2'],
    ['ガードレール', 'ガードレール'],
    ['パスワードの保護', 'パスワードの保護'],
    ['か が', 'か-が'],
    ['한국어 보안', '한국어-보안'],
    ['हिन्दी', 'हिन्दी'],
    ['❤️ 1️⃣ Team', '1-team'],
    ['\u0301 \u0301', 'other'],
    ['…', 'other'],
  ])('of "%s" is "%s", however its characters are composed', (title, slug) => {
    for (const form of ['NFC', 'NFD'] as const) expect(slugOf(title.normalize(form), 'other')).toBe(slug);
  });
});
