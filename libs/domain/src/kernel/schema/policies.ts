import type { PolicyDef } from '@mikro-orm/core';

/**
 * The role that a transaction takes on once it is bound to an organization: it sees and writes that one's rows only. It
 * belongs to the whole server, its rights to this database. See docs/adr/0039-row-level-security.md.
 */
export const ORGANIZATION_ROLE = 'merlon_organization';

/** Both are worked out once for a statement, and not for each row. */
const BOUND = '(SELECT bound_organization())';
const EVERY = '(SELECT bound_to_every_organization())';

interface Protected {
  readonly rowLevelSecurity: 'force';
  readonly policies: PolicyDef[];
}

type Condition = NonNullable<PolicyDef['using']>;

/**
 * Writes need a bound transaction, whoever writes. Reads are bound with the role: a condition on the reads of all would
 * keep them from indexes of searches, and cost lists and items more than a tenth of their time.
 */
const policies = (written: Condition, locked: Condition, seen?: Condition): Protected => ({
  rowLevelSecurity: 'force',
  policies: [
    { name: 'read', command: 'select', using: 'true' },
    ...(seen === undefined
      ? []
      : [
          {
            name: 'read_bound',
            command: 'select' as const,
            type: 'restrictive' as const,
            roles: [ORGANIZATION_ROLE],
            using: seen,
          },
        ]),
    { name: 'insert', command: 'insert', check: written },
    { name: 'update', command: 'update', using: locked, check: written },
    { name: 'delete', command: 'delete', using: written },
  ],
});

const isBound = (column: string): string => `${column} = ${BOUND}`;

/** The policies of a table whose every row belongs to an organization. */
export const ownRows = (column = 'organization_id'): Protected => {
  const written = `${isBound(column)} OR ${EVERY}`;
  return policies(written, written, isBound(column));
};

/**
 * The same for a table that also has built-in rows, without an organization. An organization sees and locks these,
 * since what it writes refers to them, but only a transaction that is bound to every organization changes them.
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
 * The policies of a table whose rows belong to the organization of another row: of the first that a column names. They
 * are read by way of that row, whose own policy protects them: only writes are checked.
 *
 * @param owners tables by the columns that name their rows
 */
export const rowsOf = (owners: Readonly<Record<string, string>>): Protected => {
  const written: Condition = (_, table) =>
    [
      EVERY,
      ...Object.entries(owners).map(
        ([column, owner]) =>
          `EXISTS (SELECT 1 FROM ${owner} WHERE ${owner}.id = ${table.name}.${column} ` +
          `AND ${isBound(`${owner}.organization_id`)})`,
      ),
    ].join(' OR ');
  return policies(written, written);
};
