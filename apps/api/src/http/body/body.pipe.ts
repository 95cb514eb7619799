import { NOT_AN_OBJECT } from '#domain/kernel/fields/field-checks.js';
import { type ArgumentMetadata, type PipeTransform, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { type FieldErrors, type FieldMessages, mergeErrors } from '#domain/kernel/domain-errors.js';
import type { FieldCheck } from '#domain/kernel/fields/field-checks.js';
import type { Field } from '#domain/kernel/fields/field.js';
import { BodyContent, UNKNOWN_FIELD } from '../media/body-content.js';
import { idsForObjects, isPlain } from '../media/ids-for-objects.js';
import { bareListOf, fieldsOf } from './body-of.js';
import { InvalidBody } from './invalid-body.js';

type Plain = Record<string, unknown>;

/** Ids in the entries of a nested list, which responses contain and clients may send back. */
const TOLERATED_IN_ENTRIES = new Set(['db_id', 'id']);

/**
 * Only nested lists accept objects. In all other fields, objects are replaced by a value that fails every check, before
 * any library walks into them: their keys come from the caller, and may be `constructor` or `__proto__`.
 */
function withoutObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => (typeof entry === 'object' ? NaN : entry));
  return isPlain(value) ? NaN : value;
}

interface PickedFields {
  readonly picked: Plain;
  readonly errors: FieldErrors;
  /** The alias under which a field was sent, for fields that were only sent under their alias. */
  readonly sentAs: ReadonlyMap<string, string>;
}

/**
 * The input for the validation: the fields under their own names, and unknown fields if these are rejected. No other
 * keys of the request are passed on, since they might have a meaning in the libraries.
 */
function pickFields(
  declared: ReadonlyMap<string, Field>,
  body: Plain,
  content: BodyContent,
  tolerated: ReadonlySet<string>,
): PickedFields {
  const aliases = new Map(
    [...declared].flatMap(([name, { alias }]) => (alias === undefined ? [] : [[alias, name] as const])),
  );
  const picked: Plain = {};
  const errors: FieldErrors = Object.create(null);
  const clashes: string[] = [];
  const sentAs = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) {
    const target = aliases.get(name) ?? name;
    const field = declared.get(target);
    const hidden = field?.where && content.flags.has(field.where.flag) !== field.where.on;
    if (!field || hidden) {
      const error = content.errorOfUnknown(name, value, tolerated);
      // The libraries silently drop names that every object or class has.
      if (error === UNKNOWN_FIELD && !hidden && !(name in Object)) picked[name] = undefined;
      else if (error !== undefined) errors[name] = [error];
      continue;
    }
    if (Object.hasOwn(picked, target) && picked[target] !== value)
      clashes.push(`"${target}" was sent under two names with different values.`);
    if (name !== target && !Object.hasOwn(body, target)) sentAs.set(target, name);
    const pickedValue = pickValue(field, value, content);
    picked[target] = pickedValue.picked;
    if (pickedValue.errors) errors[target] = pickedValue.errors;
  }
  if (clashes.length) errors['non_field_errors'] = clashes;
  return { picked, errors, sentAs };
}

interface PickedValue {
  readonly picked: unknown;
  readonly errors?: FieldMessages;
}

/** The value of a field, prepared for the validation. */
function pickValue(field: Field, value: unknown, content: BodyContent): PickedValue {
  if (field.type === 'free') return { picked: () => value };
  if (field.type === 'object' && isPlain(value)) return pickObject(fieldsIn(field), value, content);
  if (field.type === 'objects') {
    if (field.emptyObjectIsEmptyList && isPlain(value) && !Object.keys(value).length) return { picked: [] };
    if (Array.isArray(value) && value.length <= field.longest) return pickEntries(field, value, content);
  }
  return { picked: withoutObjects(containsIds(field) ? idsForObjects(value) : value) };
}

/** Whether the field contains ids, which some responses show as objects. */
function containsIds(field: Field): boolean {
  if (field.type === 'text') return field.shownAsObject === true;
  if (field.type === 'integers') return field.table !== undefined;
  return field.type === 'reference' || field.type === 'numeric reference' || field.type === 'references';
}

const fieldsIn = ({ fields }: Extract<Field, { type: 'object' | 'objects' }>): ReadonlyMap<string, Field> =>
  new Map(Object.entries(fields));

function pickObject(
  declared: ReadonlyMap<string, Field>,
  value: Plain,
  content: BodyContent,
  tolerated: ReadonlySet<string> = TOLERATED_IN_ENTRIES,
): { picked: Plain; errors?: FieldErrors } {
  const { picked, errors } = pickFields(declared, value, content, tolerated);
  return { picked, ...(Object.keys(errors).length && { errors }) };
}

/** The entries of a list: objects, or bare values that stand for them. */
function pickEntries(
  field: Extract<Field, { type: 'objects' }>,
  entries: readonly unknown[],
  content: BodyContent,
): PickedValue {
  const { shorthand, readOnlyFields = [] } = field;
  const declared = fieldsIn(field);
  const tolerated = new Set([...TOLERATED_IN_ENTRIES, ...readOnlyFields]);
  const picked = entries.map((entry): ReturnType<typeof pickObject> => {
    const isBare = typeof entry === 'string' || typeof entry === 'number';
    const expanded = shorthand && isBare ? { [shorthand(entry)]: entry } : entry;
    return isPlain(expanded)
      ? pickObject(declared, expanded, content, tolerated)
      : { picked: {}, errors: { non_field_errors: [NOT_AN_OBJECT] } };
  });
  return {
    picked: picked.map((entry) => entry.picked),
    ...(picked.some(({ errors }) => errors) && { errors: picked.map(({ errors = {} }) => errors) }),
  };
}

/** The name that class-validator gives to the rule added by `whitelist`. */
const WHITELIST_RULE = 'whitelistValidation';

/** The message of the rule that failed, or else the errors in nested values. */
function messagesOf({ constraints, contexts, children = [], value }: ValidationError): FieldMessages {
  const [failedRule] = Object.entries(constraints ?? {});
  if (failedRule) {
    const [rule, message] = failedRule;
    const { check } = (contexts?.[rule] ?? {}) as { readonly check?: FieldCheck };
    return [rule === WHITELIST_RULE ? UNKNOWN_FIELD : (check?.(value) ?? message)];
  }
  if (!Array.isArray(value)) return errorsOf(children);
  const entries: FieldErrors[] = Array.from({ length: value.length }, () => ({}));
  for (const child of children) entries[Number(child.property)] = errorsOf(child.children ?? []);
  return entries;
}

/** Errors inside fields whose values are passed through unchanged. */
function errorsInside(prototype: object, body: Plain): FieldErrors {
  const errors: FieldErrors = {};
  for (const [name, field] of fieldsOf(prototype)) {
    const value = body[name];
    const messages = field.type === 'free' && isPlain(value) ? field.contentErrors?.(value) : undefined;
    if (messages) errors[name] = messages;
  }
  return errors;
}

/** The same errors, keyed by the names under which the fields were sent. */
const withSentNames = (errors: FieldErrors, sentAs: ReadonlyMap<string, string>): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([name, messages]) => [sentAs.get(name) ?? name, messages]));

const errorsOf = (errors: readonly ValidationError[]): FieldErrors =>
  Object.fromEntries(errors.map((error) => [error.property, messagesOf(error)]));

const validation = (strict: boolean): ValidationPipe =>
  new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: strict,
    stopAtFirstError: true,
    validationError: { target: true, value: true },
    exceptionFactory: (errors) => new InvalidBody(errorsOf(errors), errors[0]?.target as Plain),
  });

/** Returns a thrown error, so that further checks can run. */
function asInvalidBody(error: unknown): InvalidBody {
  if (error instanceof InvalidBody) return error;
  throw error;
}

/**
 * Converts the body of a request into an instance of the handler's body class, validated by Nest's `ValidationPipe`.
 * Throws `InvalidBody` with every invalid field, nested like the body.
 */
export class BodyPipe implements PipeTransform {
  private readonly lenient = validation(false);
  private readonly strict = validation(true);

  async transform(content: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    // A handler that takes the raw content validates it itself.
    if (type !== 'body' || !(content instanceof BodyContent) || !metatype || metatype === BodyContent) return content;
    const prototype = metatype.prototype as object;
    const body = content.object(bareListOf(prototype));
    const { picked, errors, sentAs } = pickFields(fieldsOf(prototype), body, content, content.tolerated);
    const pipe = content.strict ? this.strict : this.lenient;
    const result: unknown = await pipe.transform(picked, metadata).catch(asInvalidBody);
    const instance = result instanceof InvalidBody ? result.body : (result as Plain);
    const ruleErrors = result instanceof InvalidBody ? result.errors : {};
    const allErrors = mergeErrors(mergeErrors(errors, ruleErrors), errorsInside(prototype, instance));
    if (Object.keys(allErrors).length) throw new InvalidBody(withSentNames(allErrors, sentAs), instance);
    return instance;
  }
}
