import type { TestApi } from '../support/api.js';
import { ResourceUnderTest } from './resource-under-test.js';
import { describeAccess } from './rules/access.js';
import { describeDocument } from './rules/document.js';
import { describeFilter, describeFilters, describeSwitches } from './rules/filtering.js';
import { describeMaking } from './rules/creating.js';
import { describeNesting } from './rules/nesting.js';
import { describeOrderingParameter, describeOrderings } from './rules/ordering.js';
import { describePaging } from './rules/paging.js';
import { describeSearch } from './rules/search.js';
import { describeSendingBack } from './rules/patch-with-item.js';
import { describeExclude, describeExpand, describeInclude } from './rules/shown-fields.js';
import { describeItem } from './rules/single-item.js';
import { describeStrictness } from './rules/strictness.js';
import { describeOtherOrganization } from './rules/tenancy.js';
import { describeUnpagedList } from './rules/unpaged-list.js';
import type { Resource } from './table.js';

/** Tests the rules that apply to all resources, with the facts about one resource in the table. */
export function describeContract(test: TestApi, resource: Resource): void {
  const { methods, includes = {}, expands = {}, filters, search, elsewhere, switches, create } = resource;
  const underTest = new ResourceUnderTest(test, resource);

  describe(`API contract: ${resource.name}`, () => {
    beforeAll(() => underTest.prepare(), 60_000);

    describeUnpagedList(underTest);
    if (methods.item?.includes('GET')) describeItem(underTest);
    if (Object.keys(includes).length) describeInclude(underTest);
    if (Object.keys(expands).length) describeExpand(underTest);
    describeExclude(underTest);
    for (const [name, filter] of Object.entries(filters)) describeFilter(underTest, name, filter);
    describeFilters(underTest);
    describeOrderings(underTest);
    describeOrderingParameter(underTest);
    if (search) describeSearch(underTest, search);
    if (elsewhere) describeNesting(underTest, elsewhere);
    describePaging(underTest);
    describeStrictness(underTest);
    if (switches) describeSwitches(underTest, switches);
    describeAccess(underTest);
    describeOtherOrganization(underTest);
    if (['GET', 'PATCH'].every((method) => methods.item?.includes(method))) describeSendingBack(underTest);
    // After all tests that read lists: they compare them with rows that do not contain its new item.
    if (create) describeMaking(underTest, create);
    describeDocument(underTest);
  });
}
