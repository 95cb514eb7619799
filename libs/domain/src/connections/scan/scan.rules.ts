/** What becomes of a scan: there is no scanner, so it is recorded, and waits for none. */
export const NO_SCANNER = 'no_scanner_configured';

const PLACE = String.raw`[^/?#@:\\\s]+(:\d+)?/[^?#@\\\s]+`;
const REPOSITORY_URL = new RegExp(
  String.raw`^(https?://${PLACE}|ssh://(git@)?${PLACE}|git@[^/?#@:\\\s]+:[^?#@\\\s]+)$`,
  'i',
);

/** What is wrong with the URL of a repository; undefined where nothing is. It is not told: it may hold credentials. */
export const repositoryUrlProblem = (text: string): string | undefined =>
  REPOSITORY_URL.test(text)
    ? undefined
    : 'Enter a URL such as https://git.example.com/shop or git@git.example.com:shop, without credentials and query.';
