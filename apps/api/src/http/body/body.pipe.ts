import { type ArgumentMetadata, type PipeTransform, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { type FieldErrors, type FieldMessages, mergeErrors } from '#domain/kernel/domain-errors.js';
import type { FieldCheck } from '#domain/kernel/fields/field-checks.js';
import type { Field } from '#domain/kernel/fields/field.js';
import { BodyContent, UNKNOWN_FIELD } from '../media/body-content.js';
import { bareListOf, fieldsOf } from './body-of.js';
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
  readonly errors: FieldErrors;
  /** Fields that came under their other name alone, with that name. */
  readonly sentAs: ReadonlyMap<string, string>;
}

/**
 * What the validation is to see: the fields under their own names, and those that are unknown where these are refused.
 * Nothing else of the request gets that far, whose keys might mean something there.
 */
function pick(
  declared: ReadonlyMap<string, Field>,
  body: Plain,
  content: BodyContent,
  tolerated: ReadonlySet<string>,
): Picked {
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
      const problem = content.problemOfUnknown(name, value, tolerated);
      // Names that objects and classes have of their own, the libraries drop without a word.
      if (problem === UNKNOWN_FIELD && !hidden && !(name in Object)) picked[name] = undefined;
      else if (problem !== undefined) errors[name] = [problem];
      continue;
    }
    if (Object.hasOwn(picked, target) && picked[target] !== value)
      clashes.push(`"${target}" was sent under two names with different values.`);
    if (name !== target && !Object.hasOwn(body, target)) sentAs.set(target, name);
    const given = pickValue(field, value, content);
    picked[target] = given.picked;
    if (given.errors) errors[target] = given.errors;
  }
  if (clashes.length) errors['non_field_errors'] = clashes;
  return { picked, errors, sentAs };
}

interface PickedValue {
  readonly picked: unknown;
  readonly errors?: FieldMessages;
}

/** The value of a field as the validation is to see it. */
function pickValue(field: Field, value: unknown, content: BodyContent): PickedValue {
  if (field.type === 'free') return { picked: () => value };
  if (field.type === 'object' && isPlain(value)) return pickObject(declaredIn(field), value, content);
  if (field.type === 'objects') {
    if (field.emptyObjectIsEmptyList && isPlain(value) && !Object.keys(value).length) return { picked: [] };
    if (Array.isArray(value) && value.length <= field.longest) return pickEntries(field, value, content);
  }
  const byId = (field.type === 'reference' || field.type === 'numeric reference') && isPlain(value);
  return { picked: withoutObjects(byId ? (value.id ?? value) : value) };
}

const declaredIn = ({ fields }: Extract<Field, { type: 'object' | 'objects' }>): ReadonlyMap<string, Field> =>
  new Map(Object.entries(fields));

function pickObject(
  declared: ReadonlyMap<string, Field>,
  value: Plain,
  content: BodyContent,
  tolerated: ReadonlySet<string> = TOLERATED_IN_ENTRIES,
): { picked: Plain; errors?: FieldErrors } {
  const { picked, errors } = pick(declared, value, content, tolerated);
  return { picked, ...(Object.keys(errors).length && { errors }) };
}

/** The entries of a list: objects, or bare values that stand for them. */
function pickEntries(
  field: Extract<Field, { type: 'objects' }>,
  entries: readonly unknown[],
  content: BodyContent,
): PickedValue {
  const { shorthand, readOnlyFields = [] } = field;
  const declared = declaredIn(field);
  const tolerated = new Set([...TOLERATED_IN_ENTRIES, ...readOnlyFields]);
  const picked = entries.map((entry): ReturnType<typeof pickObject> => {
    const isBare = typeof entry === 'string' || typeof entry === 'number';
    const expanded = shorthand && isBare ? { [shorthand(entry)]: entry } : entry;
    return isPlain(expanded)
      ? pickObject(declared, expanded, content, tolerated)
      : { picked: {}, errors: { non_field_errors: ['Invalid data. Expected an object.'] } };
  });
  return {
    picked: picked.map((entry) => entry.picked),
    ...(picked.some(({ errors }) => errors) && { errors: picked.map(({ errors = {} }) => errors) }),
  };
}

/** What class-validator calls the rule that `whitelist` adds. */
const NOT_IN_CLASS = 'whitelistValidation';

/** What the rule that failed says, or else what is wrong inside. */
function messagesOf({ constraints, contexts, children = [], value }: ValidationError): FieldMessages {
  const [failed] = Object.entries(constraints ?? {});
  if (failed) {
    const [rule, message] = failed;
    const { check } = (contexts?.[rule] ?? {}) as { readonly check?: FieldCheck };
    return [rule === NOT_IN_CLASS ? UNKNOWN_FIELD : (check?.(value) ?? message)];
  }
  if (!Array.isArray(value)) return errorsOf(children);
  const entries: FieldErrors[] = Array.from({ length: value.length }, () => ({}));
  for (const child of children) entries[Number(child.property)] = errorsOf(child.children ?? []);
  return entries;
}

/** What is wrong inside of the fields that are kept as they are. */
function problemsInside(prototype: object, body: Plain): FieldErrors {
  const errors: FieldErrors = {};
  for (const [name, field] of fieldsOf(prototype)) {
    const value = body[name];
    const messages = field.type === 'free' && isPlain(value) ? field.contentErrors?.(value) : undefined;
    if (messages) errors[name] = messages;
  }
  return errors;
}

/** The same errors, each under the name that its field was sent by. */
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

/** A refusal as a value: more may be wrong with the body. */
function refusal(error: unknown): InvalidBody {
  if (error instanceof InvalidBody) return error;
  throw error;
}

/**
 * Turns the body of a request into an instance of the handler's body class, checked by Nest's `ValidationPipe`. Throws
 * `InvalidBody` with every field that is wrong, nested as the body is.
 */
export class BodyPipe implements PipeTransform {
  private readonly lenient = validation(false);
  private readonly strict = validation(true);

  async transform(content: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    // A handler that takes the whole content looks at it itself.
    if (type !== 'body' || !(content instanceof BodyContent) || !metatype || metatype === BodyContent) return content;
    const prototype = metatype.prototype as object;
    const body = content.object(bareListOf(prototype));
    const { picked, errors, sentAs } = pick(fieldsOf(prototype), body, content, content.tolerated);
    const pipe = content.strict ? this.strict : this.lenient;
    const checked: unknown = await pipe.transform(picked, metadata).catch(refusal);
    const instance = checked instanceof InvalidBody ? checked.body : (checked as Plain);
    const invalid = checked instanceof InvalidBody ? checked.errors : {};
    const all = mergeErrors(mergeErrors(errors, invalid), problemsInside(prototype, instance));
    if (Object.keys(all).length) throw new InvalidBody(withSentNames(all, sentAs), instance);
    return instance;
  }
}
