import { bodyOf } from '../../support/client.js';
import { changesNothing } from '../../support/records.js';
import type { Row } from '../filters.js';
import { NOT_FOUND, type ResourceUnderTest } from '../resource-under-test.js';
import { differences } from '../shapes.js';
import type { Resource } from '../table.js';

export function describeMaking(underTest: ResourceUnderTest, create: NonNullable<Resource['create']>): void {
  const { test, resource, at, list } = underTest;
  const { path, key, fields, includes = {}, filters, methods } = resource;
  describe('Creating an item', () => {
    it(`returns ${create.status} with the item as GET shows it`, async () => {
      const body = await create.body(test.api);
      const created = await bodyOf(test.api.post<Row>(path, body), create.status);
      const written = (resource.writeIncludes ?? []).map((name) => includes[name] ?? {});
      expect(differences(created, Object.assign({}, fields, ...written) as typeof fields)).toEqual([]);
      for (const [field, value] of Object.entries(body as object))
        if (!create.otherwiseShown?.includes(field)) expect(created).toMatchObject({ [field]: value });
      const listed = await list({
        include: (resource.writeIncludes ?? []).join(','),
        ...(key.field in filters && { [key.field]: String(created[key.field]) }),
      });
      expect(listed.find((row) => row[key.field] === created[key.field])).toEqual(created);
      const demanded = resource.patchDemands;
      if (methods.item?.includes('PATCH') && demanded !== undefined)
        expect(await changesNothing(test, () => bodyOf(test.api.patch(at(created), {}), 400))).toEqual({
          [demanded]: ['This field is required.'],
        });
      else if (methods.item?.includes('PATCH'))
        expect(await changesNothing(test, () => bodyOf(test.api.patch(at(created), {})))).toEqual(created);
      if (methods.item?.includes('DELETE')) {
        await bodyOf(test.api.delete(at(created)), 204);
        expect(await bodyOf(test.api.delete(at(created)), 404)).toEqual(NOT_FOUND);
      }
    });
  });
}
