import { useTestApi } from './api.js';
import { bodyOf } from './client.js';
import { changesNothing } from './records.js';

const test = useTestApi();
const make = () => bodyOf(test.api.post('/business-units/', { name: 'Begun' }), 201);
const rights = () => bodyOf(test.api.get('/users/me/'));

describe('changesNothing', () => {
  it('returns the result of the action', async () => {
    expect(await changesNothing(test, rights)).toMatchObject({ email: test.organization.admin.email });
  });

  it('fails if a row is written, even with unchanged values', async () => {
    const write = () => test.database.query('UPDATE organization SET name = name');
    await expect(changesNothing(test, write)).rejects.toThrow(/toEqual/);
  });

  it('fails if the request began before the first fingerprint', async () => {
    const begun = make();
    await expect(changesNothing(test, () => begun)).rejects.toThrow('began before');
    await begun;
  });
});
