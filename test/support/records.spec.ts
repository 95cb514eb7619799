import { useTestApi } from './api.js';
import { bodyOf } from './client.js';
import { changesNothing } from './records.js';

const test = useTestApi();
const make = () => bodyOf(test.api.post('/business-units/', { name: 'Begun' }), 201);
const rights = () => bodyOf(test.api.get('/users/me/'));

describe('A test that nothing changes', () => {
  it('answers what the action answers', async () => {
    expect(await changesNothing(test, rights)).toMatchObject({ email: test.organization.admin.email });
  });

  it('fails where a row is written, even as it was', async () => {
    const write = () => test.database.query('UPDATE organization SET name = name');
    await expect(changesNothing(test, write)).rejects.toThrow(/toEqual/);
  });

  it('fails where the request began before the first fingerprint', async () => {
    const begun = make();
    await expect(changesNothing(test, () => begun)).rejects.toThrow('began before');
    await begun;
  });
});
