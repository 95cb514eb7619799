import type { ArgumentMetadata, PipeTransform, Type as Class } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { type FieldErrors, type FieldMessages, mergeErrors } from '#domain/kernel/domain-errors.js';
import { tooManyEntries } from '#domain/kernel/field-checks.js';
import { BodyContent } from '../media/body-content.js';
import { bareListOf, type FieldDeclaration, fieldsOf } from './fields.js';
import { InvalidBody } from './invalid-body.js';

type Plain = Record<string, unknown>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Ids of entries of a nested list that answers have and bodies may bring back. */
const TOLERATED_IN_ENTRIES = new Set(['db_id', 'id']);

/**
 * No field but a nested list takes objects. They become a value that fails every check, as they would, before anything
 * walks into them: their keys are the caller's, `constructor` and `__proto__` among them.
 */
function withoutObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => (typeof entry === 'object' ? NaN : entry));
  return isPlain(value) ? NaN : value;
}

interface Picked {
  readonly picked: Plain;
  /** Fields whose names are the caller's: nothing but their own check looks into them. */
  readonly free: Plain;
  readonly errors: FieldErrors;
  /** Fields that came under their other name alone, with that name. */
  readonly sentAs: ReadonlyMap<string, string>;
}

/** Keeps what a body class declares, under its own name. Unknown fields are dropped, or refused where strict. */
function pick(type: object, body: Plain, content: BodyContent, tolerated: ReadonlySet<string>): Picked {
  const declared = fieldsOf(type);
  const aliases = new Map(
    [...declared].flatMap(([name, { alias }]) => (alias === undefined ? [] : [[alias, name] as const])),
  );
  const picked: Plain = {};
  const free: Plain = {};
  const errors: FieldErrors = Object.create(null);
  const clashes: string[] = [];
  const sentAs = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) {
    const field = aliases.get(name) ?? name;
    const declaration = declared.get(field);
    const { where, longest = Infinity } = declaration ?? {};
    if (!declaration || (where && content.flags.has(where.flag) !== where.on)) {
      const problem = content.problemOfUnknown(name, value, tolerated);
      if (problem !== undefined) errors[name] = [problem];
      continue;
    }
    if (Object.hasOwn(picked, field) && picked[field] !== value)
      clashes.push(`"${field}" was sent under two names with different values.`);
    if (name !== field && !Object.hasOwn(body, field)) sentAs.set(field, name);
    const nested = declaration.nested?.().prototype as object | undefined;
    if (declaration.free) free[field] = value;
    else if (declaration.noneAsObject && isPlain(value) && !Object.keys(value).length) picked[field] = [];
    else if (nested && declaration.single && isPlain(value)) {
      const inner = pick(nested, value, content, TOLERATED_IN_ENTRIES);
      picked[field] = inner.picked;
      if (Object.keys(inner.errors).length) errors[field] = inner.errors;
    } else if (nested && Array.isArray(value) && value.length > longest) {
      // Its entries are not looked at: they could only be more errors.
      picked[field] = [];
      errors[field] = [tooManyEntries(longest)];
    } else if (nested && !declaration.single && Array.isArray(value)) {
      const entries = value.map((entry: unknown) => pickEntry(nested, declaration, entry, content));
      picked[field] = entries.map((entry) => entry.picked);
      if (entries.some((entry) => Object.keys(entry.errors).length))
        errors[field] = entries.map((entry) => entry.errors);
    } else if (declaration.byObject && isPlain(value)) picked[field] = withoutObjects(value.id ?? value);
    else picked[field] = withoutObjects(value);
  }
  if (clashes.length) errors['non_field_errors'] = clashes;
  return { picked, free, errors, sentAs };
}

/** One entry of a nested list: an object, or a bare value that stands for one. */
function pickEntry(
  nested: object,
  { shorthand, shown = [] }: FieldDeclaration,
  entry: unknown,
  content: BodyContent,
): Pick<Picked, 'picked' | 'errors'> {
  const meant =
    shorthand && (typeof entry === 'string' || typeof entry === 'number') ? { [shorthand(entry)]: entry } : entry;
  return isPlain(meant)
    ? pick(nested, meant, content, new Set([...TOLERATED_IN_ENTRIES, ...shown]))
    : { picked: {}, errors: { non_field_errors: ['Invalid data. Expected an object.'] } };
}

const messagesOf = (error: ValidationError): FieldMessages => {
  const own = error.constraints?.field;
  if (own !== undefined) return [own];
  const children = error.children ?? [];
  if (!children.length) return Object.values(error.constraints ?? {});
  if (!Array.isArray(error.value)) return errorsOf(children);
  const entries: FieldErrors[] = Array.from({ length: error.value.length }, () => ({}));
  for (const child of children) entries[Number(child.property)] = errorsOf(child.children ?? []);
  return entries;
};

/** What is wrong inside of the fields that are kept as they are. */
function problemsInside(prototype: object, free: Plain): FieldErrors {
  const errors: FieldErrors = {};
  for (const [name, { inside }] of fieldsOf(prototype)) {
    const value = free[name];
    const messages = inside && isPlain(value) ? inside(value) : undefined;
    if (messages) errors[name] = messages;
  }
  return errors;
}

/** The same errors, each under the name that its field was sent by. */
const underSentNames = (errors: FieldErrors, sentAs: ReadonlyMap<string, string>): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([name, messages]) => [sentAs.get(name) ?? name, messages]));

const errorsOf = (errors: readonly ValidationError[]): FieldErrors =>
  Object.fromEntries(errors.map((error) => [error.property, messagesOf(error)]));

/**
 * Turns the body of a request into an instance of the handler's body class, checked. Throws `InvalidBody` with every
 * field that is wrong, nested as the body is.
 */
export class BodyPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    // A handler that takes the whole content looks at it itself.
    if (type !== 'body' || !(value instanceof BodyContent) || !metatype || metatype === BodyContent) return value;
    const prototype = metatype.prototype as object;
    const body = value.object(bareListOf(prototype));
    const { picked, free, errors, sentAs } = pick(prototype, body, value, value.tolerated);
    const instance: object = Object.assign(plainToInstance(metatype as Class<object>, picked), free);
    const invalid = errorsOf(validateSync(instance, { forbidUnknownValues: false }));
    const all = mergeErrors(mergeErrors(errors, invalid), problemsInside(prototype, free));
    if (Object.keys(all).length) throw new InvalidBody(underSentNames(all, sentAs), prototype, instance as Plain);
    return instance;
  }
}
