/**
 * What organizations can't change of built-in items of a kind. Commands and imports apply the same rules, which are
 * declared in the kind's `*.rules.ts`.
 */
export interface BuiltInRules {
  /** For kinds without versions: the fields that can change; none if left out. */
  readonly changeable?: readonly string[];
  /** For kinds without versions: the error for a change of any other field. */
  readonly error?: string;
  /** Fields that never change, not even in an organization's version, with the error. */
  readonly fixed?: Readonly<Record<string, string>>;
}

/**
 * The error for a change of a field of a built-in item, if it can't change.
 *
 * @param options `hasVersions`: whether a change creates the organization's own version
 */
export function fixedFieldError(
  { changeable = [], error = "Built-in content of this kind can't be changed.", fixed = {} }: BuiltInRules,
  { hasVersions }: { readonly hasVersions: boolean },
  field: string,
): string | undefined {
  return fixed[field] ?? (hasVersions || changeable.includes(field) ? undefined : error);
}

/** The same for several fields: the errors of those that can't change. */
export const fixedFieldErrors = (
  rules: BuiltInRules,
  options: { readonly hasVersions: boolean },
  fields: readonly string[],
): Record<string, string[]> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const error = fixedFieldError(rules, options, field);
      return error === undefined ? [] : [[field, [error]]];
    }),
  );
