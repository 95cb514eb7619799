import type { TestApi } from '../support/api.js';
import { choice, integer, text, time } from './filters.js';
import { byTime } from './resources.js';
import { byField, type Resource } from './table.js';

const KINDS = ['weakness', 'countermeasure', 'additional_requirement', 'how_to', 'threat', 'component'];
const STATUSES = ['applied', 'open', 'taken', 'kept', 'superseded'];

const libraryUpgrades: Resource = {
  name: 'library upgrades',
  path: '/library/upgrades/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET'], item: ['GET', 'PATCH'] },
  writers: 'customize_content',
  patchDemands: 'resolution',
  fields: {
    id: 'integer',
    kind: { oneOf: KINDS },
    item: 'string',
    title: 'string',
    field: 'string',
    from: 'anything',
    to: 'anything',
    revision: 'integer',
    status: { oneOf: STATUSES },
    released: 'time',
    resolved: { nullable: 'time' },
    resolved_by: { nullable: 'user' },
  },
  filters: {
    id: integer('id'),
    field: text('field'),
    item: text('item'),
    kind: choice('kind', KINDS),
    released: time('released'),
    status: choice('status', STATUSES),
  },
  orderings: {
    id: byField('id'),
    kind: byField('kind'),
    field: byField('field'),
    status: byField('status'),
    released: byTime('released'),
  },
  defaultOrdering: '-id',
  search: ({ item, title }) => [String(item), String(title)],
  seed: async (test, { id, admin }) => {
    await test.database.query(
      `INSERT INTO library_upgrade (organization_id, release_change_id, status, resolved_at, resolved_by)
       SELECT $1, c.id, s.status, CASE WHEN s.status IN ('taken', 'kept') THEN now() END,
         CASE WHEN s.status IN ('taken', 'kept') THEN $2::bigint END
       FROM release_change c
         JOIN (VALUES ('P10', 'open'), ('TA7', 'taken'), ('I1', 'kept'), ('TH7', 'superseded')) s(item, status)
         ON s.item = c.item_id`,
      [id, admin.id],
    );
  },
};

/** Changes by releases. They apply to the whole deployment, so they are inserted before any test reads. */
export async function releaseChanges({ database }: TestApi): Promise<void> {
  await database.query(`
    INSERT INTO release_change (kind, identity, item_id, title, field, from_value, to_value, revision, released_at)
    SELECT r.kind, r.identity, r.item_id, r.title, r.field, r.was::jsonb, r.becomes::jsonb, r.identity,
      now() + r.identity * interval '1 s'
    FROM (VALUES
      ('weakness', 1, 'P10', '100% wrong_', 'title', '"a"', '"b"'),
      ('countermeasure', 2, 'T1', 'ÖNE\\', 'tags', '[]', '["x"]'),
      ('additional_requirement', 3, 'TA7', 'Part', 'text', '"a"', '"b"'),
      ('how_to', 4, 'I1', 'part', 'active', 'true', 'false'),
      ('threat', 5, 'TH7', 'What happens', 'severity', '1', '2'),
      ('component', 6, 'SC1', 'One', 'answer_mapping', 'null', '"A1"')
    ) r(kind, identity, item_id, title, field, was, becomes)`);
}

/** Upgrades to new releases of the starter library. */
export const LIBRARY_UPGRADES: readonly Resource[] = [libraryUpgrades];
