import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();

describe('CAPECs and CWEs', () => {
  it('refer to each other', async () => {
    const capec = await bodyOf(test.api.get('/library/capecs/66/'));
    expect(capec).toMatchObject({ title: 'SQL Injection', cwes: expect.arrayContaining([89]) });
    const cwe = await bodyOf(test.api.get('/library/cwes/89/'));
    expect(cwe).toMatchObject({ capecs: expect.arrayContaining([66]), parents: [943] });
    const idsFor = async (list: string, query: Record<string, string>): Promise<number[]> =>
      (await rowsOf(test.api.get<List<{ id: number }>>(`/library/${list}/`, query))).map(({ id }) => id);
    expect(await idsFor('capecs', { cwe__in: '89' })).toContain(66);
    expect(await idsFor('cwes', { capec__in: '66' })).toContain(89);
    expect(await idsFor('cwes', { parent: '943' })).toContain(89);
  });
});
