import { SecretBox } from './secret-box.js';

const [OLD, NEW] = ['o'.repeat(40), 'n'.repeat(40)];
const URL = 'https://hooks.slack.com/services/T000/B000/Über';

describe('A sealed text', () => {
  const box = new SecretBox(NEW);

  it('differs each time, does not reveal the secret, and opens to it', () => {
    const [one, two] = [box.seal(URL, 'webhook.url'), box.seal(URL, 'webhook.url')];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
    expect(one.startsWith(box.prefix)).toBe(true);
    for (const sealed of [one, two]) expect(box.open(sealed, 'webhook.url')).toBe(URL);
    expect(box.open(box.seal('', 'x'), 'x')).toBe('');
  });

  it('opens only for its own purpose', () => {
    expect(box.open(box.seal(URL, 'webhook.url'), 'connector.params')).toBeUndefined();
  });

  it('opens with its key as the previous key, and not without that key', () => {
    const sealed = new SecretBox(OLD).seal(URL, 'x');
    expect(new SecretBox(NEW, OLD).open(sealed, 'x')).toBe(URL);
    expect(box.open(sealed, 'x')).toBeUndefined();
    expect(new SecretBox(NEW, OLD).seal(URL, 'x').startsWith(box.prefix)).toBe(true);
  });

  it('does not open if one of its characters has changed', () => {
    const sealed = box.seal(URL, 'x');
    for (let index = box.prefix.length; index < sealed.length - 1; index += 7) {
      const other = sealed[index] === 'A' ? 'B' : 'A';
      expect(box.open(sealed.slice(0, index) + other + sealed.slice(index + 1), 'x')).toBeUndefined();
    }
  });

  it.each(['', 'v1', 'v1.00000000.', URL, `${box.prefix}AA`, `v2${box.seal(URL, 'x').slice(2)}`])(
    'cannot be opened from %j',
    (text) => expect(box.open(text, 'x')).toBeUndefined(),
  );
});
