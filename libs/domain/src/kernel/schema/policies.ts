import type { PolicyDef } from '@mikro-orm/core';

/**
 * The role of a transaction that is bound to an organization: it can only see and write that organization's rows. The
 * role belongs to the server, its privileges to this database. See docs/adr/0039-row-level-security.md.
 */
export const ORGANIZATION_ROLE = 'merlon_organization';

/** Subqueries, so that they are evaluated once per statement and not for each row. */
const BOUND = '(SELECT bound_organization())';
const EVERY = '(SELECT bound_to_every_organization())';

interface Protected {
  readonly rowLevelSecurity: 'force';
  readonly policies: PolicyDef[];
}

type Condition = NonNullable<PolicyDef['using']>;

/**
 * Every role needs a bound transaction to write. Reads are only restricted for `ORGANIZATION_ROLE`: a condition for all
 * roles would prevent the use of search indexes and slow lists and items down by more than a tenth.
 */
const policies = (writeCondition: Condition, updateCondition: Condition, readCondition?: Condition): Protected => ({
  rowLevelSecurity: 'force',
  policies: [
    { name: 'read', command: 'select', using: 'true' },
    ...(readCondition === undefined
      ? []
      : [
          {
            name: 'read_bound',
            command: 'select' as const,
            type: 'restrictive' as const,
            roles: [ORGANIZATION_ROLE],
            using: readCondition,
          },
        ]),
    { name: 'insert', command: 'insert', check: writeCondition },
    { name: 'update', command: 'update', using: updateCondition, check: writeCondition },
    { name: 'delete', command: 'delete', using: writeCondition },
  ],
});

const isBound = (column: string): string => `${column} = ${BOUND}`;

/** Policies of a table in which every row belongs to an organization. */
export const ownRows = (column = 'organization_id'): Protected => {
  const written = `${isBound(column)} OR ${EVERY}`;
  return policies(written, written, isBound(column));
};

/**
 * Policies of a table that also has built-in rows, without an organization. An organization can see and lock those,
 * since its own rows reference them, but only a transaction bound to every organization can change them.
 */
export const ownAndBuiltInRows = (): Protected => {
  const own = isBound('organization_id');
  return policies(
    `${own} OR ${EVERY}`,
    `organization_id IS NULL OR ${own} OR ${EVERY}`,
    `organization_id IS NULL OR ${own}`,
  );
};

/**
 * Policies of a table whose rows belong to the organization of a referenced row. Only writes are checked: reads go
 * through the referenced row, whose own policy protects it.
 *
 * @param owners referenced tables by foreign key column
 */
export const rowsOf = (owners: Readonly<Record<string, string>>): Protected => {
  const written = belongsTo(owners, EVERY);
  return policies(written, written);
};

/**
 * The same for credentials, which a bound transaction can't read either. Authentication, which does not know the
 * organization yet, looks them up outside of such a transaction.
 *
 * @param owners referenced tables by foreign key column
 */
export const ownCredentials = (owners: Readonly<Record<string, string>>): Protected => {
  const written = belongsTo(owners, EVERY);
  return policies(written, written, belongsTo(owners));
};

/** A row that references a row of the bound organization, or that meets another condition. */
const belongsTo =
  (owners: Readonly<Record<string, string>>, ...alternatives: readonly string[]): Condition =>
  (_, table) =>
    [
      ...alternatives,
      ...Object.entries(owners).map(
        ([column, owner]) =>
          `EXISTS (SELECT 1 FROM ${owner} WHERE ${owner}.id = ${table.name}.${column} ` +
          `AND ${isBound(`${owner}.organization_id`)})`,
      ),
    ].join(' OR ');
