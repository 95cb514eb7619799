import { Body, Controller, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SIGN_IN_MINUTES } from '#domain/access/identity-provider/identity-provider.rules.js';
import { userProjection } from '#domain/access/user/user.projection.js';
import type { Actor } from '#domain/kernel/actor.js';
import { boolean, nullable, object, string, timestamp } from '#query/schema.js';
import { Access, PublicFromOwnPages } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { Client, type SignInClient } from '../../http/access/client.js';
import { INVITATION_COOKIE, setCookie } from '../../http/access/session-cookie.js';
import { Sessions } from '../../http/access/sessions.service.js';
import { SecretResponses } from '../../http/compression.js';
import { type ApiRequest, Caller } from '../../http/request.js';
import { Action } from '../../http/routes/route.decorators.js';
import { SIGNED_IN } from './sign-in.controller.js';
import { AcceptInvitation, LinkByInvitation } from './sign-in.dto.js';
import { SignInService } from './sign-in.service.js';

const INVITATION = object({
  url: string({
    description: 'The link for the user. It is shown only once.',
    example: 'https://merlon.example.com/invitation#x3Zb0Yw8b1Jm5rQm7m0y7cQm4yX2h9pL6dT1sVfGk0E',
  }),
  expires: timestamp({ description: 'When it stops working.' }),
  mailed: boolean({ description: 'Whether the mail server accepted a mail with the link.', example: true }),
  mail_error: nullable(
    string({
      description: 'Why it was not mailed; null if it was, or if no mail server is configured.',
      example: null,
    }),
  ),
});

/** Links with which users set a password, or sign in with an identity provider for the first time. */
@ApiTags('Sign-in')
@InFamily('access')
@Controller()
export class InvitationsController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: Sessions,
  ) {}

  @Action({
    method: 'POST',
    path: 'users/:user/invitations',
    status: 201,
    items: [{ parameter: 'user', projection: userProjection }],
    responseSchema: INVITATION,
    success:
      'The link works once and for 24 hours. It replaces the one before. ' +
      'If `SMTP_URL` is set, it is mailed to the user.',
    summary: 'Invite a user to set a password or to sign in with an identity provider',
    nonComposable: true,
  })
  @SecretResponses()
  @Access({ permission: 'manage_users' })
  async create(@Caller() actor: Actor, @Param('user') user: string, @Req() { origin }: ApiRequest) {
    const invitation = await this.signIn.invite(actor, user);
    const url = `${origin}/invitation#${invitation.token}`;
    // After the invitation was committed, without a transaction: the mail server may take its time.
    const outcome = await this.signIn.mailInvitation(actor, invitation, url);
    return {
      url,
      expires: invitation.expires,
      mailed: outcome?.sent === true,
      mail_error: outcome?.sent === false ? outcome.error : null,
    };
  }

  @Action({
    method: 'POST',
    path: 'auth/invitation',
    status: 200,
    responseSchema: SIGNED_IN,
    success: 'The user has the password, and the browser has a session of theirs.',
    summary: 'Accept an invitation with a password',
    nonComposable: true,
  })
  @PublicFromOwnPages()
  async accept(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Client() client: SignInClient,
    @Body() body: AcceptInvitation,
  ) {
    const actor = await this.signIn.acceptInvitation(client, body);
    const owner = await this.sessions.start(actor, client, request, response);
    return this.signIn.state(client, owner, request.origin);
  }

  @Action({
    method: 'POST',
    path: 'auth/invitation/link',
    status: 204,
    success: 'The next sign-in of this browser with an identity provider accepts the invitation. There is no body.',
    summary: 'Accept an invitation with an identity provider',
    nonComposable: true,
  })
  @PublicFromOwnPages()
  async link(
    @Req() { origin }: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Client() client: SignInClient,
    @Body() { token }: LinkByInvitation,
  ) {
    await this.signIn.findInvited(client, token);
    setCookie(response, origin, INVITATION_COOKIE, token, SIGN_IN_MINUTES * 60_000);
  }
}
