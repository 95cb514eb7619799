/** Minutes for which a session counts as confirmed after the person has proved again who they are. */
export const CONFIRMED_MINUTES = 10;

/** The detail of the error of a session that was not confirmed within `CONFIRMED_MINUTES`. */
export const NOT_CONFIRMED = 'Confirm who you are first, with POST /auth/reauthenticate/.';

/** Seconds for which the previous id of a renewed session still works, for requests that were already sent. */
export const PREVIOUS_ID_SECONDS = 10;

/** Sessions of one user. A further sign-in ends the one that was unused for the longest time. */
export const MAX_SESSIONS = 100;

/** Unicode code points of a browser's name that are stored. */
export const MAX_USER_AGENT_LENGTH = 300;

/** How long sessions last. */
export interface SessionLimits {
  /** Without a request. */
  readonly idleHours: number;
  /** Since the sign-in. */
  readonly maximumHours: number;
}

/** How people sign in: with their password, or with an identity provider. */
export const SESSION_CREDENTIALS = ['password', 'oidc'] as const;

export type SessionCredential = (typeof SESSION_CREDENTIALS)[number];

/** The encryption purpose of the ID token of a session: see `SecretBox`. */
export const ID_TOKEN_PURPOSE = 'session.id-token';
