import type { EntityManager } from '@mikro-orm/postgresql';
import { tables } from '../../kernel/tables.js';
import { findSignInProvider, type SignInProvider } from '../identity-provider/sign-in-provider.js';
import { Session } from './session.entity.js';

/** The provider with which a session began, and its encrypted ID token; undefined for a password. */
export async function findSessionOrigin(
  em: EntityManager,
  id: number,
): Promise<{ readonly provider: SignInProvider; readonly sealedIdToken: string } | undefined> {
  const session = await tables(em, Session)
    .selectFrom('user_session')
    .select(['identity_provider_id as providerId', 'sealed_id_token as sealedIdToken'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!session || session.sealedIdToken === null) return undefined;
  const provider = await findSignInProvider(em, String(session.providerId));
  return provider && { provider, sealedIdToken: session.sealedIdToken };
}
