import { limitedActor } from '#domain/kernel/token-scopes.js';
import { useDomain } from '#test/support/domain.js';
import { createToken, regenerateToken, revokeToken, revokeTokensOf } from './token.commands.js';

const domain = useDomain();

const HOUR = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

/** Everything of all tokens: fingerprints of the database leave them out. */
const tokens = () => domain.database.query('SELECT * FROM api_token ORDER BY id');

/** The errors of a rejected command. Fails if any token has changed afterwards. */
async function rejection(...command: Parameters<typeof domain.rejectionRolledBack>) {
  const before = await tokens();
  const rejected = await domain.rejectionRolledBack(...command);
  expect(await tokens()).toEqual(before);
  return rejected;
}

const make = (expires: string | null = null) =>
  domain.run((em, actor) => createToken(em, actor, String(actor.id), { name: 'Test', expires }));

const OUTLIVES = { expires: ['This must not be later than the expiry of the token used for the request.'] };

describe('A token', () => {
  it('cannot outlive the token that creates it or expire in the past', async () => {
    const caller = await make(inHours(2));
    const attempt = (expires: string | null) =>
      rejection((em, actor) => createToken(em, actor, String(actor.id), { name: 'x', expires }, caller.id));
    expect(await attempt(null)).toEqual(OUTLIVES);
    expect(await attempt(inHours(3))).toEqual(OUTLIVES);
    expect(await attempt(inHours(-1))).toEqual({ expires: ['This time is in the past.'] });
    await domain.run((em, actor) =>
      createToken(em, actor, String(actor.id), { name: 'x', expires: inHours(1) }, caller.id),
    );
  });

  it('can be created only for users of the organization', async () => {
    const other = await domain.newOrganization();
    for (const owner of [String(other.id), '99999999', 'x', '0'])
      expect(await rejection((em, actor) => createToken(em, actor, owner, { name: 'x' }))).toBe('Not found.');
  });

  it('cannot be regenerated if it has expired or outlives the token of the caller', async () => {
    const expired = await make();
    await domain.database.query("UPDATE api_token SET expires_at = now() - interval '1 hour' WHERE id = $1", [
      expired.id,
    ]);
    expect(await rejection((em, actor) => regenerateToken(em, actor, String(expired.id)))).toEqual({
      non_field_errors: ['This token has expired. Create a new one.'],
    });
    const caller = await make(inHours(1));
    const longer = await make();
    expect(await rejection((em, actor) => regenerateToken(em, actor, String(longer.id), caller.id))).toEqual(OUTLIVES);
  });

  it('with more scopes or projects than the token of the caller can be neither created nor regenerated', async () => {
    const wide = await make();
    const caller = limitedActor(domain.actor, { scopes: ['access:write', 'library:read'], projects: [1] });
    const create = (fields: object) =>
      rejection((em) => createToken(em, caller, String(caller.id), { name: 'x', ...fields }));
    const lacking = (...scopes: string[]) => ({
      scopes: [`The token used for the request does not have: ${scopes.join(', ')}.`],
    });
    const projects = ['The token used for the request is limited to projects. Choose some of these.'];
    expect(await create({ projects: [1] })).toEqual(lacking('*'));
    expect(await create({ projects: [1], scopes: ['library:read', 'library:write', 'admin'] })).toEqual(
      lacking('library:write', 'admin'),
    );
    expect(await create({ scopes: ['library:read'] })).toEqual({ projects });
    expect(await create({ scopes: ['library:read'], projects: [1, 2] })).toEqual({ projects });
    expect(await create({ scopes: ['library:read'], projects: [] })).toEqual({
      projects: ['This list may not be empty.'],
    });
    expect(await rejection((em) => regenerateToken(em, caller, String(wide.id)))).toEqual({
      ...lacking('*'),
      projects,
    });
  });

  it('cannot be regenerated or revoked by another organization', async () => {
    const { id } = await make();
    const other = await domain.newOrganization();
    expect(await rejection((em, actor) => regenerateToken(em, actor, String(id)), other)).toBe('Not found.');
    expect(await rejection((em, actor) => revokeToken(em, actor, String(id)), other)).toBe('Not found.');
    expect(await rejection((em, actor) => revokeTokensOf(em, actor, domain.actor.id), other)).toBe('Not found.');
    expect(await rejection((em, actor) => revokeToken(em, actor, 'x'))).toBe('Not found.');
  });
});
