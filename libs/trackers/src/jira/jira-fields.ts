import type { JiraField } from './jira-shapes.js';

/** Fields that the adapter or Jira itself fills in. */
const OWN_FIELDS = new Set([
  'attachment',
  'description',
  'issuelinks',
  'issuetype',
  'labels',
  'priority',
  'project',
  'reporter',
  'summary',
]);

/** Whether a field is filled in by the adapter or by Jira. */
export const isOwnField = (id: string): boolean => OWN_FIELDS.has(id);

/** The texts of allowed values: options have a value, other things a name. */
export const valuesOf = (allowed: NonNullable<JiraField['allowedValues']>): readonly string[] =>
  allowed.flatMap(({ value, name }) => value ?? name ?? []);

/** A value of a kind of field. */
function valueOf(kind: string, text: string, isCloud: boolean): unknown {
  switch (kind) {
    case 'number':
      return Number(text);
    case 'option':
      return { value: text };
    case 'user':
      return isCloud ? { accountId: text } : { name: text };
    case 'component':
    case 'group':
    case 'version':
      return { name: text };
    default:
      return text;
  }
}

/** A text in the form that a field of Jira expects; a list is separated by commas. */
export function fieldValue({ schema }: JiraField, text: string, isCloud: boolean): unknown {
  if (schema.type !== 'array') return valueOf(schema.type, text, isCloud);
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '').map((part) => valueOf(schema.items ?? 'string', part, isCloud));
}
