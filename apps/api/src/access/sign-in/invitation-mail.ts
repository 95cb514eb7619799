import { INVITATION_HOURS } from '#domain/access/invitation/invitation.commands.js';
import type { Mail } from '#platform/mail/mailer.js';

interface Invited {
  readonly email: string;
  /** The user's name. */
  readonly name: string;
  /** The name of who invites them. */
  readonly by: string;
  readonly url: string;
}

/** A mail to an invited user. */
export const invitationMail = ({ email, name, by, url }: Invited): Mail => ({
  to: email,
  subject: 'Your invitation to Merlon',
  text: [
    `Hello ${name},`,
    '',
    `${by} invites you to sign in to Merlon. Open this link to choose a password or to sign in with your organization:`,
    '',
    url,
    '',
    `The link works once, for ${INVITATION_HOURS} hours. If you did not expect this mail, ignore it.`,
    '',
  ].join('\n'),
});
