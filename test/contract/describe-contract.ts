import type { TestApi } from '../support/api.js';
import { isRepresentative } from './representatives.js';
import { ResourceUnderTest } from './resource-under-test.js';
import { describeAccess } from './rules/access.js';
import { describeDocument } from './rules/document.js';
import { describeEmptyFilters, describeFilter, describeFilters, describeSwitches } from './rules/filtering.js';
import { describeMaking } from './rules/creating.js';
import { describeNesting } from './rules/nesting.js';
import {
  describeOrderingDirections,
  describeOrderingParameter,
  describeOrderings,
  describeWrongOrderings,
} from './rules/ordering.js';
import { describeMaximumSize, describePaging } from './rules/paging.js';
import { describeSearch, describeSearchedTexts } from './rules/search.js';
import { describeSendingBack } from './rules/patch-with-item.js';
import { describeEachExcludedField, describeExclude, describeExpand, describeInclude } from './rules/shown-fields.js';
import { describeItem } from './rules/single-item.js';
import { describeLeniency, describeStrictness } from './rules/strictness.js';
import { describeOtherOrganization } from './rules/tenancy.js';
import { describeUnpagedList } from './rules/unpaged-list.js';
import type { Resource } from './table.js';

/** Tests the rules that apply to all resources, with the facts about one resource in the table. */
export function describeContract(test: TestApi, resource: Resource): void {
  const { methods, includes = {}, expands = {}, filters, elsewhere, switches, create, fill } = resource;
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
    describeOrderingParameter(underTest);
    if (elsewhere) describeNesting(underTest, elsewhere);
    if (isRepresentative(resource)) describeSharedRules(underTest);
    else describeDeclared(underTest);
    describeStrictness(underTest);
    if (switches) describeSwitches(underTest, switches);
    describeAccess(underTest);
    describeOtherOrganization(underTest);
    if (['GET', 'PATCH'].every((method) => methods.item?.includes(method))) describeSendingBack(underTest);
    // After all tests that read lists: they compare them with rows that do not contain its new item.
    if (create) describeMaking(underTest, create);
    if (fill) describeMaximumSize(underTest, fill);
    describeDocument(underTest);
  });
}

/** Tests the parts of these rules that depend on a declaration. */
function describeDeclared(underTest: ResourceUnderTest): void {
  const { search } = underTest.resource;
  describeOrderings(underTest);
  if (search) describeSearchedTexts(underTest, search);
}

/** Tests what shared code does for every declaration alike. */
function describeSharedRules(underTest: ResourceUnderTest): void {
  const { filters, search } = underTest.resource;
  describeEachExcludedField(underTest);
  if (Object.keys(filters).length) describeEmptyFilters(underTest, Object.keys(filters));
  describeOrderingDirections(underTest);
  describeWrongOrderings(underTest);
  if (search) describeSearch(underTest, search);
  describePaging(underTest);
  describeLeniency(underTest);
}
