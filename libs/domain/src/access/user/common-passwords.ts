/** Sequences that people type as passwords, forwards, backwards or repeatedly. The package's list lacks them. */
const TYPING_SEQUENCES = ['abcdefghijklmnopqrstuvwxyz', '1234567890', 'qwertyuiopasdfghjklzxcvbnm'];

/** Minimum length of the entries used: shorter ones are parts of ordinary words. */
const SHORTEST_ENTRY = 4;

let list: Promise<ReadonlySet<string>> | undefined;

/** Loads the list lazily, because few processes ever set a password. */
const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (list ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common'])));

/** Normalizes a password for comparison: the form in which it is hashed, in lower case. */
export const comparable = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Only the letters and digits of the normalized text. */
export const lettersAndDigits = (text: string): string => comparable(text).replace(/[^\p{L}\p{N}]/gu, '');

/** Whether the text consists of one or more repetitions of the entry, the last of which may be incomplete. */
const repeats = (text: string, entry: string): boolean =>
  entry.repeat(Math.ceil(text.length / entry.length)).startsWith(text);

function withoutOuterDigits(text: string): string {
  const isDigit = (index: number): boolean => /^\p{N}$/u.test(text.charAt(index));
  let [start, end] = [0, text.length];
  while (start < end && isDigit(start)) start += 1;
  while (end > start && isDigit(end - 1)) end -= 1;
  return text.slice(start, end);
}

function isTrail(text: string): boolean {
  const backwards = [...text].toReversed().join('');
  return TYPING_SEQUENCES.some((trail) => {
    const round = trail.repeat(Math.ceil(text.length / trail.length) + 1);
    return round.includes(text) || round.includes(backwards);
  });
}

const isRun = (text: string): boolean =>
  /^[\p{L}\p{N}]/u.test(text) && repeats(text, String.fromCodePoint(text.codePointAt(0) ?? 0));

/**
 * Whether a password as a whole is common: on the list, ignoring case, characters other than letters and digits, and
 * digits before and after it, or a repetition of such an entry; or a single letter or digit, the alphabet, the digits
 * or keyboard rows. Passwords of several words are not checked word by word.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const common = await commonPasswords();
  const plain = lettersAndDigits(password);
  return [comparable(password), plain, withoutOuterDigits(plain)].some((text) => {
    if (text.length < SHORTEST_ENTRY) return false;
    if (isTrail(text) || isRun(text)) return true;
    for (let length = SHORTEST_ENTRY; length <= text.length; length += 1) {
      const entry = text.slice(0, length);
      if (common.has(entry) && repeats(text, entry)) return true;
    }
    return false;
  });
}
