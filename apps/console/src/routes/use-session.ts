import { useSuspenseQuery } from '@tanstack/react-query';
import { type Session, sessionQuery } from '../api/session.ts';

/** The session of the user. Pages exist only within one, so it has always been loaded. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data as Session;
