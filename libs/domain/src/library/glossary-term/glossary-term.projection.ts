import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { identityOrder, builtInAndCustom } from '../../kernel/built-in.sql.js';

export const glossaryTermProjection = projection({
  name: 'GlossaryTerm',
  source: builtInAndCustom('glossary_term'),
  key: { shape: idShape('glossary_term'), column: sql`item.item_id`, order: identityOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'GT1' }) },
    term: column(schema.string({ example: 'Attack surface' }), { filter: 'The term.', sortable: true }),
    definition: column(schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' }), {
      filter: 'What it means.',
    }),
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('glossary_term')),
  },
  orderings: { id: identityOrder },
  defaultOrdering: 'term',
  search: { text: sql`item.term || E'\\n' || item.definition`, fields: ['term', 'definition'] },
  switches: ['to_html'],
});
