import type { TestApi } from '../support/api.js';
import { ResourceUnderTest } from './resource-under-test.js';
import { describeAccess } from './rules/access.js';
import { describeDocument } from './rules/document.js';
import { describeFilter, describeFilters, describeSwitches } from './rules/filtering.js';
import { describeMaking } from './rules/making.js';
import { describeNesting } from './rules/nesting.js';
import { describeOrderingParameter, describeOrderings } from './rules/ordering.js';
import { describePaging } from './rules/paging.js';
import { describeSearch } from './rules/search.js';
import { describeSendingBack } from './rules/sending-back.js';
import { describeExclude, describeExpand, describeInclude } from './rules/shown-fields.js';
import { describeItem } from './rules/single-item.js';
import { describeStrictness } from './rules/strictness.js';
import { describeOtherOrganization } from './rules/tenancy.js';
import { describeUnpagedList } from './rules/unpaged-list.js';
import type { Resource } from './table.js';

/** Tests the rules that apply to all resources, with the facts about one resource in the table. */
export function describeContract(test: TestApi, resource: Resource): void {
  const { methods, includes = {}, expands = {}, filters, search, elsewhere, switches, create } = resource;
  const tried = new ResourceUnderTest(test, resource);

  describe(`API contract: ${resource.name}`, () => {
    beforeAll(() => tried.prepare(), 60_000);

    describeUnpagedList(tried);
    if (methods.item?.includes('GET')) describeItem(tried);
    if (Object.keys(includes).length) describeInclude(tried);
    if (Object.keys(expands).length) describeExpand(tried);
    describeExclude(tried);
    for (const [name, filter] of Object.entries(filters)) describeFilter(tried, name, filter);
    describeFilters(tried);
    describeOrderings(tried);
    describeOrderingParameter(tried);
    if (search) describeSearch(tried, search);
    if (elsewhere) describeNesting(tried, elsewhere);
    describePaging(tried);
    describeStrictness(tried);
    if (switches) describeSwitches(tried, switches);
    describeAccess(tried);
    describeOtherOrganization(tried);
    if (['GET', 'PATCH'].every((method) => methods.item?.includes(method))) describeSendingBack(tried);
    // After all tests that read lists: they compare them with rows that do not contain its new item.
    if (create) describeMaking(tried, create);
    describeDocument(tried);
  });
}
