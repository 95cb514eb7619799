import type { OpenAPIObject } from '@nestjs/swagger';
import { FAMILIES, type TokenScope } from '#domain/kernel/token-scopes.js';
import { REQUIREMENTS } from '../access/access.decorator.js';
import { FAMILY, ONLY_READS, scopeFor } from '../access/family.decorator.js';

/** An operation of the API's document. */
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

const code = (name: string): string => `\`${name}\``;

const thirdPerson = (verb: string): string =>
  /(?:s|sh|ch|x)$/.test(verb) ? `${verb}es` : verb.replace(/(?<=[^aeo])y$/, 'ie') + 's';

/** The second and third verb of a summary: `Cancel or retry an export job`. */
const OTHER_VERB =
  /(?<=^\S+, |,? (?:or|and) )(?:answer|cancel|create|recalculate|reject|report|restore|retry|turn)(?= )/g;

/** What an operation does, as a sentence: `List phases` → `Lists phases.` */
const sentenceOf = (summary = ''): string =>
  `${summary.replaceAll(OTHER_VERB, thirdPerson).replace(/^[a-z]+/i, thirdPerson)}.`;

function detailsOfList(names: readonly string[]): string {
  return names.includes('cursor')
    ? 'Returns one page; follow `next` and `previous` for the others.'
    : 'An item must match all filters.';
}

function detailsOfBody(body: Schema | undefined): string[] {
  const required = body && !('$ref' in body) ? (body.required ?? []) : [];
  return required.length ? [`Required: ${required.map(code).join(', ')}.`] : [];
}

/** What else to know about an operation, apart from its summary. */
function detailsOf(method: string, path: string, operation: Operation, body: Schema | undefined): string[] {
  const query = (operation.parameters ?? []).flatMap((one) => ('in' in one && one.in === 'query' ? [one] : []));
  const names = query.map(({ name }) => name);
  switch (method) {
    case 'get': {
      if (names.includes('ordering')) return [detailsOfList(names)];
      const include = query.find(({ name }) => name === 'include')?.schema;
      const parts = include && 'items' in include && include.items && 'enum' in include.items ? include.items.enum : [];
      return [
        ...(path.endsWith('}/') ? ['If it does not exist or you cannot see it, returns 404.'] : []),
        ...(parts?.length ? [`\`include\` adds ${parts.map((one) => code(String(one))).join(', ')}.`] : []),
      ];
    }
    case 'post':
      return [...(operation.responses['201'] ? ['Returns the new item.'] : []), ...detailsOfBody(body)];
    case 'patch':
      return ['Fields that the body omits keep their values, and you can send back what a GET returned.'];
    default:
      return ['If it is still in use, returns 400.'];
  }
}

/** Who can use an operation. */
function audienceOf(path: string, operation: Operation): string {
  const requirements: unknown = Reflect.get(operation, REQUIREMENTS);
  if (typeof requirements === 'string' && requirements !== '') return `Requires ${requirements}.`;
  if (!operation.security?.length) return 'Needs no credentials.';
  if (path.includes('/users/me/')) return 'For every user.';
  return /\/projects\/\{/.test(path)
    ? 'For everyone who can see the project.'
    : 'For every user of the organization; the response contains only what they can see.';
}

/** The scope that an operation requires of a token; undefined if it needs none, or accepts no tokens. */
export function requiredScope(method: string, operation: Operation): TokenScope | undefined {
  const family = FAMILIES.find((one) => one === Reflect.get(operation, FAMILY));
  const acceptsTokens = operation.security?.some((scheme) => 'token' in scheme || 'report' in scheme);
  return family && acceptsTokens ? scopeFor(family, method, Reflect.get(operation, ONLY_READS) === true) : undefined;
}

/** The description of an operation: what it does, what to know about it, and for whom it is. */
export const describeOperation = (
  method: string,
  path: string,
  operation: Operation,
  body: Schema | undefined,
): string => {
  const scope = requiredScope(method, operation);
  return [
    sentenceOf(operation.summary),
    ...detailsOf(method, path, operation, body),
    audienceOf(path, operation),
    ...(scope ? [`Scope: \`${scope}\`.`] : []),
  ].join(' ');
};
