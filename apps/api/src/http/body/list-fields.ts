import { applyDecorators, type Type as Class } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ArrayNotEmpty, ArrayUnique, IsIn, IsString, ValidateNested, type ValidationOptions } from 'class-validator';
import type { Kind } from '#domain/kernel/item-id.js';
import {
  type FieldCheck,
  type NumberBounds,
  checkChoice,
  checkInteger,
  checkText,
  listOf,
} from '#domain/kernel/field-checks.js';
import { LONGEST_ID, LONGEST_LIST } from '#domain/kernel/text-limits.js';
import { field, type FieldDeclaration, type FieldOptions, free } from './field.js';
import { integerRules, listRules, Satisfies, textRules } from './rules.js';

/** A list of at most `longest` (1,000) entries, each of which `check` accepts; `rules` say the same. */
function list(
  options: FieldOptions & { readonly longest?: number },
  schema: ApiPropertyOptions,
  check: FieldCheck,
  rules: (says: ValidationOptions) => readonly PropertyDecorator[],
  declaration?: FieldDeclaration,
): PropertyDecorator {
  const { longest = 1000 } = options;
  const rulesOfList = (says: ValidationOptions): PropertyDecorator[] => [
    ...listRules(longest, says),
    ...rules({ ...says, each: true }),
  ];
  return field(options, { type: 'array', ...schema }, listOf(check, longest), rulesOfList, declaration);
}

/** A list of short texts, which count without the blanks around them. */
export const StringListField = (options: FieldOptions & { maximum: number }): PropertyDecorator => {
  const { maximum } = options;
  const check: FieldCheck = (entry) =>
    checkText(typeof entry === 'string' ? entry.trim() : entry, { maximum, blank: true });
  return list(options, { items: { type: 'string', maxLength: maximum } }, check, (says) => [
    IsString(says),
    Satisfies(check, says),
  ]);
};

/** A list of at most `longest` (1,000) whole numbers, also as strings of digits. */
export const IntegerListField = (options: FieldOptions & NumberBounds & { longest?: number } = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value)
        ? value.map((entry: unknown) => (typeof entry === 'string' && /^\d{1,15}$/.test(entry) ? Number(entry) : entry))
        : value,
    ),
    list(
      options,
      { items: { type: 'integer' } },
      (entry) => checkInteger(entry, options),
      (says) => integerRules(options, says),
    ),
  );

/** What is wrong with a list that has to name something, and nothing twice. */
function repeated(entries: readonly string[]): string | undefined {
  if (!entries.length) return 'This list may not be empty.';
  const twice = entries.find((entry, place) => entries.indexOf(entry) !== place);
  return twice === undefined ? undefined : `"${twice}" is listed twice.`;
}

/** A list of texts of a closed set. `distinct` refuses an empty list and one that names a text twice. */
export const ChoiceListField = (
  options: FieldOptions & { choices: readonly string[]; distinct?: boolean },
): PropertyDecorator => {
  const { choices, distinct = false } = options;
  const known = listOf((entry) => checkChoice(entry, choices));
  const check: FieldCheck = (value) => known(value) ?? (distinct ? repeated(value as readonly string[]) : undefined);
  const schema: ApiPropertyOptions = {
    type: 'array',
    items: { type: 'string', enum: [...choices] },
    ...(distinct && { minItems: 1, uniqueItems: true }),
  };
  return field(options, schema, check, (says) => [
    ...listRules(LONGEST_LIST, says),
    IsIn(choices, { ...says, each: true }),
    ...(distinct ? [ArrayNotEmpty(says), ArrayUnique(says)] : []),
  ]);
};

const ID_LIMITS = { maximum: LONGEST_ID, blank: true };

/** A list of public ids of items of a kind. */
export const References = (kind: Kind, options: FieldOptions = {}): PropertyDecorator =>
  list(
    { ...options, longest: LONGEST_LIST },
    { items: { type: 'string' } },
    (entry) => checkText(entry, ID_LIMITS),
    (says) => textRules(ID_LIMITS, says),
    { reference: kind },
  );

/**
 * A list of at most `longest` (1,000) objects of another body class; `shorthand` tells which of their fields a bare
 * value stands for.
 */
export const ObjectListField = (
  type: () => Class<object>,
  options: FieldOptions & Pick<FieldDeclaration, 'shorthand' | 'shown' | 'longest' | 'noneAsObject'> = {},
): PropertyDecorator => {
  const { longest = 1000, shorthand, shown, noneAsObject } = options;
  return applyDecorators(
    Type(type),
    field(
      options,
      { type: type(), isArray: true },
      // What its entries are, the pipe has seen to.
      listOf(() => undefined, longest),
      (says) => [...listRules(longest, says), ValidateNested({ each: true })],
      {
        nested: type,
        longest,
        ...(shorthand && { shorthand }),
        ...(shown && { shown }),
        ...(noneAsObject && { noneAsObject }),
      },
    ),
  );
};

/** A list of at most `longest` values of any form, kept as they were sent: whoever takes them checks them. */
export const FreeListField = (
  options: FieldOptions & { readonly items: object; readonly longest: number },
): PropertyDecorator =>
  free(
    options,
    { type: 'array', items: options.items, maxItems: options.longest },
    listOf(() => undefined, options.longest),
    (says) => listRules(options.longest, says),
  );
