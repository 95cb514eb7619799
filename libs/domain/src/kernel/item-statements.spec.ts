import { globSync } from 'node:fs';
import path from 'node:path';
import { type CompiledQuery, sql } from 'kysely';
import { compiler } from '#query/compiled-sql.js';
import { ItemStatements } from '#query/item-statements.js';
import { itemTexts } from '#query/item-texts.js';
import { DEFAULT_ITEM_QUERY, type ParsedQuery, parseQuery } from '#query/parameters.js';
import type { Projection } from '#query/projection.js';
import type { Scope, Sql } from '#query/query-context.js';
import { keyCondition } from '#query/statements.js';
import { countermeasureProjection } from '../library/countermeasure/countermeasure.projection.js';

const isProjection = (value: unknown): value is Projection =>
  typeof value === 'object' && value !== null && 'source' in value && 'key' in value;

const modules = await Promise.all(
  globSync('*/**/*.projection.ts', { cwd: path.dirname(import.meta.dirname) }).map(
    (file) => import(`../${file.replace(/ts$/, 'js')}`) as Promise<object>,
  ),
);
const projections = [...new Set(modules.flatMap((module): unknown[] => Object.values(module)).filter(isProjection))];

const KINDS = 'A AQ AT C G GT I MC P PR Q R REG RM RS S SC T TA TH TS UR X 1-P 1-T 1-TH'.split(' ');
/** Two ids that an item of a projection could have. */
const idsOf = ({ key: { shape } }: Projection): string[] =>
  ['', ...KINDS].flatMap((kind) => [`${kind}1`, `${kind}22`]).filter((id) => shape.test(id));

type Text = Pick<CompiledQuery, 'sql' | 'parameters'>;

interface ItemRead {
  readonly projection?: Projection;
  readonly query?: ParsedQuery;
}

/** The text of a statement and its parameters; undefined if the id has the wrong shape. */
function statementOf(
  statements: ItemStatements,
  id: string,
  scope: Scope,
  { projection = countermeasureProjection, query = DEFAULT_ITEM_QUERY }: ItemRead = {},
): Text | undefined {
  const statement = statements.statementFor(projection, scope, id, query);
  return statement && { sql: statement.sql, parameters: statement.parameters };
}

/** The same, compiled for this item alone. */
function compiledAlone(
  id: string,
  scope: Scope,
  { projection = countermeasureProjection, query = DEFAULT_ITEM_QUERY }: ItemRead,
): Text | undefined {
  const byKey = keyCondition(projection, id);
  if (!byKey) return undefined;
  const { sql: text, parameters } = itemTexts(projection, query, scope, '', byKey).compile(compiler);
  return { sql: query.isDefault ? `/* prepared */ ${text}` : text, parameters };
}

/** Callers whose statements differ. */
const CALLERS: readonly Scope[] = [
  { id: 7, organizationId: 11, session: 5 },
  { id: 8, organizationId: 12, isSuperUser: true, flags: new Set(['automation']) },
  {
    id: 9,
    organizationId: 12,
    permissions: new Set(['manage_users']),
    scopes: new Set(['projects:read']),
    projects: [3],
  },
];

describe('The statement for an item', () => {
  const [caller = { id: 7, organizationId: 11 }] = CALLERS;

  it('is that of the item and of the caller, in every projection', () => {
    // An item of search results has no id.
    expect(projections.filter((projection) => !idsOf(projection).length).map(({ name }) => name)).toEqual([
      'SearchResult',
    ]);
    const statements = new ItemStatements();
    for (const projection of projections)
      for (const id of idsOf(projection))
        for (const scope of CALLERS)
          expect([projection.name, id, statementOf(statements, id, scope, { projection })]).toEqual([
            projection.name,
            id,
            compiledAlone(id, scope, { projection }),
          ]);
  });

  it('is compiled once for a caller', () => {
    let compilations = 0;
    const source: Projection['source'] = (context) => {
      compilations += 1;
      return countermeasureProjection.source(context);
    };
    const projection: Projection = { ...countermeasureProjection, source };
    const statements = new ItemStatements();
    for (const id of ['T1', 'T2', 'T3']) statementOf(statements, id, caller, { projection });
    expect(compilations).toBe(1);
  });

  it('has what the query and the route include', () => {
    const statements = new ItemStatements();
    const requested = parseQuery(countermeasureProjection, 'item', { include: 'tags' }, true);
    const always = { ...DEFAULT_ITEM_QUERY, includes: new Set(['match_conditions']) };
    for (const query of [DEFAULT_ITEM_QUERY, requested, always, DEFAULT_ITEM_QUERY, always])
      expect(statementOf(statements, 'T1', caller, { query })).toEqual(compiledAlone('T1', caller, { query }));
    expect(statementOf(statements, 'T1', caller, { query: always })?.sql).toContain('match_condition');
    expect(statementOf(statements, 'T1', caller)?.sql).not.toContain('match_condition');
  });

  it('has the conditions of a list that apply by default', () => {
    const holds = (): Sql => sql`item.active`;
    const query = { ...DEFAULT_ITEM_QUERY, conditions: [{ filter: 'active', holds }] };
    const statements = new ItemStatements();
    expect(statementOf(statements, 'T1', caller)?.sql).not.toContain('item.active');
    expect(statementOf(statements, 'T1', caller, { query })?.sql).toContain('item.active');
  });

  it('does not exist for an id of another shape', () => {
    expect(statementOf(new ItemStatements(), 'P1', caller)).toBeUndefined();
  });
});
