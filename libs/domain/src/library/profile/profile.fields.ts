import { boolean, line, references, text } from '../../kernel/fields/fields.js';

/** Error for a second row that would make its profile the default. */
export const ONE_DEFAULT = 'Only one profile can be the default.';

/** Rows that would each make their profile the default, except the first. */
export const extraDefaults = <Row extends { readonly default?: boolean | undefined }>(rows: readonly Row[]): Row[] =>
  rows.filter((row) => row.default).slice(1);

export const profileFields = {
  name: line(),
  description: text({ blank: true, optional: true }),
  answers: references('survey_answer', { optional: true, unordered: true }),
  default: boolean({ optional: true }),
  logo_url: line({ blank: true, optional: true, nullable: true }),
  active: boolean({ optional: true }),
};
