import { applyDecorators, type Type as Class } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type { Kind } from '#domain/kernel/item-id.js';
import { checkChoice, checkInteger, checkText, listOf } from '#domain/kernel/field-checks.js';
import { LONGEST_ID } from '#domain/kernel/text-limits.js';
import { field, type FieldDeclaration, type FieldOptions } from './field.js';

/** A list of short texts. */
export const StringListField = (options: FieldOptions & { maximum: number }): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'string', maxLength: options.maximum } },
    listOf(
      (entry) => checkText(typeof entry === 'string' ? entry.trim() : entry, { maximum: options.maximum, blank: true }),
      1000,
    ),
  );

/** A list of at most `longest` (1,000) whole numbers, also as strings of digits. */
export const IntegerListField = (
  options: FieldOptions & { minimum?: number; maximum?: number; longest?: number } = {},
): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value)
        ? value.map((entry: unknown) => (typeof entry === 'string' && /^\d{1,15}$/.test(entry) ? Number(entry) : entry))
        : value,
    ),
    field(
      options,
      { type: 'array', items: { type: 'integer' } },
      listOf((entry) => checkInteger(entry, options), options.longest ?? 1000),
    ),
  );

/** A list of texts of a closed set. `distinct` refuses an empty list and one that names a text twice. */
export const ChoiceListField = (
  options: FieldOptions & { choices: readonly string[]; distinct?: boolean },
): PropertyDecorator => {
  const { choices, distinct = false } = options;
  const known = listOf((entry) => checkChoice(entry, choices));
  const schema: ApiPropertyOptions = {
    type: 'array',
    items: { type: 'string', enum: [...choices] },
    ...(distinct && { minItems: 1, uniqueItems: true }),
  };
  return field(options, schema, (value) => {
    const problem = known(value);
    if (problem !== undefined || !distinct) return problem;
    const entries = value as readonly string[];
    if (!entries.length) return 'This list may not be empty.';
    const twice = entries.find((entry, place) => entries.indexOf(entry) !== place);
    return twice === undefined ? undefined : `"${twice}" is listed twice.`;
  });
};

/** A list of public ids of items of a kind. */
export const References = (kind: Kind, options: FieldOptions = {}): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'string' } },
    listOf((entry) => checkText(entry, { maximum: LONGEST_ID, blank: true })),
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
  const { longest = 1000 } = options;
  return applyDecorators(
    Type(type),
    ValidateNested({ each: true }),
    field(
      options,
      { type: type(), isArray: true },
      listOf(
        (entry) =>
          typeof entry === 'object' && entry !== null && !Array.isArray(entry)
            ? undefined
            : 'Expected a list of objects.',
        longest,
      ),
      {
        nested: type,
        longest,
        ...(options.shorthand && { shorthand: options.shorthand }),
        ...(options.shown && { shown: options.shown }),
        ...(options.noneAsObject && { noneAsObject: true }),
      },
    ),
  );
};

/** A list of at most `longest` values of any form, kept as they were sent: whoever takes them checks them. */
export const FreeListField = (
  options: FieldOptions & { readonly items: object; readonly longest: number },
): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: options.items, maxItems: options.longest },
    listOf(() => undefined, options.longest),
    { free: true },
  );
