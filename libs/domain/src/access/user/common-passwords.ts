/**
 * Along these, either way and round again, passwords are typed without thinking. The package's list leaves them out.
 */
const TRAILS = ['abcdefghijklmnopqrstuvwxyz', '1234567890', 'qwertyuiopasdfghjklzxcvbnm'];

/** Shorter entries than this are parts of ordinary words. */
const SHORTEST_ENTRY = 4;

let list: Promise<ReadonlySet<string>> | undefined;

/** The list is read with the first password that is set: few processes ever set one. */
const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (list ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common'])));

/** A password as it is compared: in the form in which it is hashed, and whatever its case. */
export const comparable = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Its letters and digits alone. */
export const lettersAndDigits = (text: string): string => comparable(text).replace(/[^\p{L}\p{N}]/gu, '');

/** `text` once, or again and again, the last time perhaps not whole. */
const repeats = (text: string, entry: string): boolean =>
  entry.repeat(Math.ceil(text.length / entry.length)).startsWith(text);

function withoutOuterDigits(text: string): string {
  const isDigit = (place: number): boolean => /^\p{N}$/u.test(text.charAt(place));
  let [start, end] = [0, text.length];
  while (start < end && isDigit(start)) start += 1;
  while (end > start && isDigit(end - 1)) end -= 1;
  return text.slice(start, end);
}

function isTrail(text: string): boolean {
  const backwards = [...text].toReversed().join('');
  return TRAILS.some((trail) => {
    const round = trail.repeat(Math.ceil(text.length / trail.length) + 1);
    return round.includes(text) || round.includes(backwards);
  });
}

const isRun = (text: string): boolean =>
  /^[\p{L}\p{N}]/u.test(text) && repeats(text, String.fromCodePoint(text.codePointAt(0) ?? 0));

/**
 * Whether a password is a common one, as a whole: on the list in any case, with other characters than letters and
 * digits anywhere in it, with digits before and after it, or again and again; or a single letter or digit, the
 * alphabet, the digits or the rows of a keyboard. A password of several words is not looked at word by word.
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
