import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { Invalid } from '#domain/kernel/domain-errors.js';
import { forkInTransaction, inTransaction } from '#domain/kernel/transaction.js';
import { listActiveProviders } from '#domain/access/identity-provider/sign-in-provider.js';
import {
  acceptWithPassword,
  createInvitation,
  findInvitedUser,
  type InvitedUser,
  type NewInvitation,
} from '#domain/access/invitation/invitation.commands.js';
import { assertSetupLink, completeSetup, isSetupRequired } from '#domain/access/setup-link/setup-link.commands.js';
import { Mailer, type MailOutcome } from '#platform/mail/mailer.js';
import { findActor, recordSignIn } from '#domain/access/user/principal.js';
import { emailOfUser } from '#domain/access/user/find-user.js';
import { AccessLookups } from '../../http/access/access-lookups.service.js';
import type { SignInClient } from '../../http/access/client.js';
import { FailureLimit } from '../../http/access/failure-limit.js';
import { Passwords } from '../../http/access/passwords.service.js';
import { PrincipalCache } from '../../http/access/principal-cache.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { startPath } from '../provider-paths.js';
import { invitationMail } from './invitation-mail.js';
import { CallerDetails } from './caller-details.service.js';
import type { AcceptInvitation, SetUp, SignIn } from './sign-in.dto.js';

/** A 401 of a sign-in. It does not say whether the account exists. */
const rejected = (detail: string): ErrorResponse => new ErrorResponse(401, detail, { 'WWW-Authenticate': 'Token' });

/** Checks who signs in. What happens to the browser's cookie is up to the controller. */
@Injectable()
export class SignInService {
  constructor(
    private readonly em: EntityManager,
    private readonly passwords: Passwords,
    private readonly lookups: AccessLookups,
    private readonly failures: FailureLimit,
    private readonly principals: PrincipalCache,
    private readonly details: CallerDetails,
    private readonly mailer: Mailer,
  ) {}

  /** What a sign-in page needs to know; `actor` has a session, or is undefined. */
  async state(client: SignInClient, actor: Actor | undefined, origin: string) {
    const { isRequired, providers } = await this.lookups.run(client.network, async () => {
      const em = forkInTransaction(this.em);
      return { isRequired: await isSetupRequired(em), providers: await listActiveProviders(em) };
    });
    return {
      authenticated: actor !== undefined,
      methods: {
        password: true,
        oidc: providers.map(({ id, name }) => ({ id: String(id), name, start: startPath(id) })),
      },
      setup_required: isRequired,
      ...(actor && (await this.details.describe({ actor, token: undefined }, origin))),
    };
  }

  /** The user with this e-mail address and password. Throws a 401, or a 429 after too many failures. */
  async verify(client: SignInClient, { email, password }: SignIn): Promise<Actor> {
    const actor = await this.passwords.verify(client, email, password);
    if (!actor) throw rejected('The e-mail address or the password is not correct.');
    return actor;
  }

  /** Checks the password of a user who has signed in. Throws a 401, or a 429 after too many failures. */
  async verifyAgain(client: SignInClient, { id }: Actor, password: string): Promise<void> {
    const email = await emailOfUser(forkInTransaction(this.em), id);
    const verified = email === undefined ? undefined : await this.passwords.verify(client, email, password);
    if (verified?.id !== id) throw rejected('The password is not correct.');
  }

  /** Creates an invitation of a user. Throws `NotFound`, `Forbidden`, `Invalid`. */
  invite(actor: Actor, user: string): Promise<NewInvitation> {
    return inTransaction(this.em, actor, (em) => createInvitation(em, actor, user));
  }

  /** Mails an invitation that was committed. Returns undefined without a mail server. */
  async mailInvitation(actor: Actor, { email, name }: NewInvitation, url: string): Promise<MailOutcome | undefined> {
    return this.mailer.isConfigured
      ? this.mailer.send(invitationMail({ email, name, by: actor.name, url }))
      : undefined;
  }

  /** Throws `Invalid` unless an invitation can be used. Counts failures: anyone can send a request. */
  async findInvited(client: SignInClient, token: string): Promise<InvitedUser> {
    return this.countingFailures(client, () => findInvitedUser(forkInTransaction(this.em), token));
  }

  /** Sets the password of an invited user. Throws `Invalid`, also if the invitation is not valid. */
  async acceptInvitation(client: SignInClient, { token, password }: AcceptInvitation): Promise<Actor> {
    const invited = await this.findInvited(client, token);
    const accepted = inTransaction(this.em, invited, async (em) => {
      await acceptWithPassword(em, invited, token, password);
      const actor = await findActor(em, invited.userId);
      if (!actor) throw new Error('The invited user does not exist.');
      await recordSignIn(em, actor.id, client.network);
      return actor;
    });
    return this.principals.forgetAfter(accepted);
  }

  /** Creates the first super-user. Throws `Invalid`, also if the setup link is not valid. */
  async setUp(client: SignInClient, { token, ...input }: SetUp): Promise<Actor> {
    // Before passwords are hashed: anyone can send a request.
    await this.countingFailures(client, () => assertSetupLink(forkInTransaction(this.em), token));
    const completed = acrossOrganizations(this.em, 'set up the deployment', async (em) => {
      const actor = await findActor(em, await completeSetup(em, token, input));
      if (!actor) throw new Error('The first super-user does not exist.');
      await recordSignIn(em, actor.id, client.network);
      return actor;
    });
    return this.principals.forgetAfter(completed);
  }

  private countingFailures<Result>({ network }: SignInClient, check: () => Promise<Result>): Promise<Result> {
    return this.lookups.run(network, check).catch(async (error: unknown) => {
      if (error instanceof Invalid) await this.failures.countToken(network);
      throw error;
    });
  }
}
