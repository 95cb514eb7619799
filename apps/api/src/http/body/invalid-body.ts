import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import type { Kind } from '#domain/kernel/item-id.js';
import { findIdentities } from '#domain/kernel/find-identities.js';
import { type FieldErrors, Invalid, mergeErrors, missingMessages } from '#domain/kernel/domain-errors.js';
import type { Field } from '#domain/kernel/fields/field.js';
import { fieldsOf } from './body-of.js';

/**
 * A body whose shape is not valid. It keeps the body, so that what its sound fields refer to can be checked as well.
 */
export class InvalidBody extends Invalid {
  constructor(
    errors: FieldErrors,
    /** The body as an instance of its class. */
    readonly body: Readonly<Record<string, unknown>>,
  ) {
    super(errors);
  }
}

/** Ids that a value of a reference field names: one, or a list. */
const idsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((id): id is string => typeof id === 'string');

/** The objects that a nested field holds: the entries of its list, or itself. */
const objectsIn = (value: unknown): Record<string, unknown>[] =>
  (Array.isArray(value) ? value : [value]).filter((entry) => typeof entry === 'object' && entry !== null);

type NamedFields = Iterable<readonly [name: string, Field]>;

function collect(fields: NamedFields, body: Readonly<Record<string, unknown>>, into: Map<Kind, Set<string>>): void {
  for (const [name, field] of fields) {
    if (field.type === 'reference' || field.type === 'references')
      for (const id of idsIn(body[name])) into.set(field.kind, (into.get(field.kind) ?? new Set()).add(id));
    if ('fields' in field)
      for (const entry of objectsIn(body[name])) collect(Object.entries(field.fields), entry, into);
  }
}

function missingIn(
  fields: NamedFields,
  body: Readonly<Record<string, unknown>>,
  found: ReadonlyMap<Kind, ReadonlyMap<string, number>>,
): FieldErrors {
  const errors: FieldErrors = {};
  for (const [name, field] of fields) {
    if (field.type === 'reference' || field.type === 'references') {
      const unknown = idsIn(body[name]).filter((id) => !found.get(field.kind)?.has(id));
      if (unknown.length) errors[name] = unknown.flatMap(missingMessages);
    }
    if ('fields' in field) {
      const entries = objectsIn(body[name]).map((entry) => missingIn(Object.entries(field.fields), entry, found));
      if (entries.some((entry) => Object.keys(entry).length))
        errors[name] = (field.type === 'object' && entries[0]) || entries;
    }
  }
  return errors;
}

/** The same refusal, with every reference to something that does not exist named together with the other errors. */
export async function withMissingReferences(invalid: InvalidBody, em: EntityManager, actor: Actor): Promise<Invalid> {
  const { body, errors } = invalid;
  const fields = fieldsOf(Object.getPrototypeOf(body) as object);
  const wanted = new Map<Kind, Set<string>>();
  collect(fields, body, wanted);
  const found = new Map<Kind, ReadonlyMap<string, number>>();
  for (const [kind, ids] of wanted) found.set(kind, await findIdentities(em, actor, kind, ids));
  return new Invalid(mergeErrors(errors, missingIn(fields, body, found)));
}
