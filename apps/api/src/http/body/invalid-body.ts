import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import type { Kind } from '#domain/kernel/item-id.js';
import { findIdentities } from '#domain/kernel/items/find-identities.js';
import { type FieldErrors, Invalid, mergeErrors, missingMessages } from '#domain/kernel/domain-errors.js';
import type { Field } from '#domain/kernel/fields/field.js';
import { fieldsOf } from './body-of.js';

/**
 * The shape of a body is not valid. Keeps the body, so that the references in its valid fields can be checked as well.
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

/** Ids in the value of a reference field: one, or a list. */
const idsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((id): id is string => typeof id === 'string');

/** The objects in a nested field: the entries of its list, or the object itself. */
const objectsIn = (value: unknown): Record<string, unknown>[] =>
  (Array.isArray(value) ? value : [value]).filter((entry) => typeof entry === 'object' && entry !== null);

type NamedFields = Iterable<readonly [name: string, Field]>;

function collectReferences(
  fields: NamedFields,
  body: Readonly<Record<string, unknown>>,
  into: Map<Kind, Set<string>>,
): void {
  for (const [name, field] of fields) {
    if (field.type === 'reference' || field.type === 'references')
      for (const id of idsIn(body[name])) into.set(field.kind, (into.get(field.kind) ?? new Set()).add(id));
    if ('fields' in field)
      for (const entry of objectsIn(body[name])) collectReferences(Object.entries(field.fields), entry, into);
  }
}

function missingReferencesIn(
  fields: NamedFields,
  body: Readonly<Record<string, unknown>>,
  identitiesByKind: ReadonlyMap<Kind, ReadonlyMap<string, number>>,
): FieldErrors {
  const errors: FieldErrors = {};
  for (const [name, field] of fields) {
    if (field.type === 'reference' || field.type === 'references') {
      const unknown = idsIn(body[name]).filter((id) => !identitiesByKind.get(field.kind)?.has(id));
      if (unknown.length) errors[name] = unknown.flatMap(missingMessages);
    }
    if ('fields' in field) {
      const entries = objectsIn(body[name]).map((entry) =>
        missingReferencesIn(Object.entries(field.fields), entry, identitiesByKind),
      );
      if (entries.some((entry) => Object.keys(entry).length))
        errors[name] = (field.type === 'object' && entries[0]) || entries;
    }
  }
  return errors;
}

/** Adds an error for every reference to an item that does not exist. */
export async function withMissingReferences(invalid: InvalidBody, em: EntityManager, actor: Actor): Promise<Invalid> {
  const { body, errors } = invalid;
  const fields = fieldsOf(Object.getPrototypeOf(body) as object);
  const idsByKind = new Map<Kind, Set<string>>();
  collectReferences(fields, body, idsByKind);
  const identitiesByKind = new Map<Kind, ReadonlyMap<string, number>>();
  for (const [kind, ids] of idsByKind) identitiesByKind.set(kind, await findIdentities(em, actor, kind, ids));
  return new Invalid(mergeErrors(errors, missingReferencesIn(fields, body, identitiesByKind)));
}
