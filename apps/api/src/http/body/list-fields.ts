import { applyDecorators, type Type as Class } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type { Kind } from '#domain/kernel/item-id.js';
import { type NumberBounds, checkText } from '#domain/kernel/field-checks.js';
import { LONGEST_ID } from '#domain/kernel/text-limits.js';
import { field, type FieldDeclaration, type FieldOptions, free } from './field.js';
import { choices, distinct, integers, lists, satisfying, texts } from './rules.js';

/** A list of short texts, which count without the blanks around them. */
export const StringListField = (options: FieldOptions & { maximum: number }): PropertyDecorator => {
  const { maximum } = options;
  const entry = satisfying((text) =>
    checkText(typeof text === 'string' ? text.trim() : text, { maximum, blank: true }),
  );
  return field(options, { type: 'array', items: { type: 'string', maxLength: maximum } }, lists(entry, 1000));
};

/** A list of at most `longest` (1,000) whole numbers, also as strings of digits. */
export const IntegerListField = (options: FieldOptions & NumberBounds & { longest?: number } = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value)
        ? value.map((entry: unknown) => (typeof entry === 'string' && /^\d{1,15}$/.test(entry) ? Number(entry) : entry))
        : value,
    ),
    field(options, { type: 'array', items: { type: 'integer' } }, lists(integers(options), options.longest ?? 1000)),
  );

/** A list of texts of a closed set. `distinct` refuses an empty list and one that names a text twice. */
export const ChoiceListField = (
  options: FieldOptions & { choices: readonly string[]; distinct?: boolean },
): PropertyDecorator => {
  const schema: ApiPropertyOptions = {
    type: 'array',
    items: { type: 'string', enum: [...options.choices] },
    ...(options.distinct && { minItems: 1, uniqueItems: true }),
  };
  const known = lists(choices(options.choices));
  return field(options, schema, options.distinct ? distinct(known) : known);
};

/** A list of public ids of items of a kind. */
export const References = (kind: Kind, options: FieldOptions = {}): PropertyDecorator =>
  field(options, { type: 'array', items: { type: 'string' } }, lists(texts({ maximum: LONGEST_ID, blank: true })), {
    reference: kind,
  });

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
    // What its entries are, the pipe has seen to.
    field(options, { type: type(), isArray: true }, lists(undefined, longest), {
      nested: type,
      longest,
      ...(shorthand && { shorthand }),
      ...(shown && { shown }),
      ...(noneAsObject && { noneAsObject }),
    }),
    ValidateNested({ each: true }),
  );
};

/** A list of at most `longest` values of any form, kept as they were sent: whoever takes them checks them. */
export const FreeListField = (
  options: FieldOptions & { readonly items: object; readonly longest: number },
): PropertyDecorator =>
  free(options, { type: 'array', items: options.items, maxItems: options.longest }, lists(undefined, options.longest));
