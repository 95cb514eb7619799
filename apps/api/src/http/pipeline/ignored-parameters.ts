/** Header of a response to a request whose unknown names were ignored. */
export const IGNORED_PARAMETERS = 'Ignored-Parameters';

const MAX_HEADER_BYTES = 1024;
const MAX_NAME_LENGTH = 100;

/** The names, comma-separated and percent-encoded: names come from the caller. Those that do not fit are left out. */
export function headerOfNames(names: Iterable<string>): string {
  let text = '';
  for (const name of names) {
    const encoded = encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed());
    const longer = text === '' ? encoded : `${text}, ${encoded}`;
    if (longer.length <= MAX_HEADER_BYTES) text = longer;
  }
  return text;
}
