import { documentationOf, type SettingName } from './configuration.js';
import { withGeneratedPart } from './generated-part.js';
import { limitSettings } from './limit-settings.js';
import { settings } from './settings.js';

const NAMES = Object.keys(settings.shape) as SettingName[];

/**
 * Renders `.env.example` from the settings.
 *
 * @returns the text of the file: every variable with its documentation, form and default
 */
export function renderEnvExample(): string {
  const blocks = NAMES.map((name) => {
    const { about, form, default: fallback = '' } = documentationOf(name);
    return `# ${about}\n# ${capitalized(form)}.\n${name}=${fallback}\n`;
  });
  return [
    '# Every setting with its default. An empty value counts as unset.\n# Written by `npm run generate`.\n',
    ...blocks,
  ].join('\n');
}

/**
 * Updates the tables of `docs/operate/settings.md`.
 *
 * @param document the page
 * @returns the page with a row for every setting, with the limits apart from the others
 */
export function renderSettings(document: string): string {
  const isLimit = (name: SettingName): boolean => name in limitSettings;
  const others = withGeneratedPart(document, 'settings', table(NAMES.filter((name) => !isLimit(name))));
  return withGeneratedPart(others, 'limits', table(NAMES.filter(isLimit)));
}

const table = (names: readonly SettingName[]): string =>
  ['| Variable | Default | Value | Meaning |', '|---|---|---|---|', ...names.map(row)].join('\n');

function row(name: SettingName): string {
  const { about, form, default: fallback = '' } = documentationOf(name);
  const cells = [`\`${name}\``, fallback ? `\`${fallback}\`` : '–', form, about];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
