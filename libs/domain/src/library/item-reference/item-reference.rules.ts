/** How completely a countermeasure satisfies a section of a framework. */
export const MAPPING_STRENGTHS = ['full', 'partial', 'supports'] as const;

/** Maximum length of a reference. */
export const MAX_REFERENCE_LENGTH = 200;

/** The sources whose references have a defined form. A reference without such a prefix is the title of a document. */
const FORMS: Readonly<Record<string, RegExp>> = {
  cwe: /^[1-9]\d{0,5}$/,
  asvs: /^5\.0:\d{1,2}\.\d{1,2}\.\d{1,2}$/,
  masvs: /^2:MASVS-[A-Z]+-\d{1,2}$/,
  nist: /^\d[\w.-]*:[\w.()-]+$/,
  rfc: /^[1-9]\d{0,4}(:\d+(\.\d+)*)?$/,
  'owasp-cheatsheet': /^[A-Za-z0-9][\w-]*$/,
};

/** Whether text is a reference of a known form, such as `rfc:9700:4.1`, or the title of a document. */
export function isReference(text: string): boolean {
  const [, scheme, rest = ''] = /^([a-z][a-z-]*):(.*)$/.exec(text) ?? [];
  if (scheme === undefined) return /^\p{L}/u.test(text);
  return FORMS[scheme]?.test(rest) ?? false;
}

/** Validation error of the form of a reference. */
export const referenceError = (text: string): string | undefined =>
  isReference(text)
    ? undefined
    : `${JSON.stringify(text)} is not a reference such as cwe:79, rfc:9700:4.1 or the title of a document.`;

/** Whether text is a valid date such as `2026-11-23`. */
export function isDay(text: string): boolean {
  const time = /^[12]\d{3}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Validation error of a date. */
export const dayError = (text: string): string | undefined =>
  isDay(text) ? undefined : 'Enter a valid date in the format YYYY-MM-DD.';
