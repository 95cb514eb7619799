import { countermeasureProjection } from './countermeasure.projection.js';
import { compiler } from '#query/compiled-sql.js';
import { itemTexts } from '#query/item-texts.js';
import { parseQuery, type QueryParameters } from '#query/parameters.js';
import { keyCondition } from '#query/statements.js';

/** How often the statement for a countermeasure computes its creator, a default field that takes a subquery. */
function readingsWith(parameters: QueryParameters): number {
  const query = parseQuery(countermeasureProjection, 'item', parameters, true);
  const byKey = keyCondition(countermeasureProjection, 'T1');
  if (!byKey) throw new Error('T1 is an id.');
  const statement = itemTexts(countermeasureProjection, query, { id: 1, organizationId: 1 }, '', byKey);
  return statement.compile(compiler).sql.split(/"created_by"(?= = | IS)|item\.created_by/).length - 1;
}

describe('The statement for an item and its ETag', () => {
  it('reads the item once, whatever it includes, expands and leaves out', () => {
    const once = readingsWith({});
    expect(once).toBeGreaterThan(0);
    for (const parameters of [
      { include: 'tags,how_tos' },
      { expand: 'phase,problem' },
      { exclude: 'text' },
      { to_html: 'true' },
    ])
      expect([parameters, readingsWith(parameters)]).toEqual([parameters, once]);
  });

  it('reads the item again if the request shows another row or another form of its default fields', () => {
    for (const parameters of [{ show_original: 'true' }, { absolute_urls: 'true' }])
      expect([parameters, readingsWith(parameters)]).toEqual([parameters, 2 * readingsWith({})]);
  });
});
