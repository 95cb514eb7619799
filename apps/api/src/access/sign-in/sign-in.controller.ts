import { Body, Controller, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Actor } from '#domain/kernel/actor.js';
import { Invalid } from '#domain/kernel/domain-errors.js';
import { REQUIRED } from '#domain/kernel/fields/field-checks.js';
import { boolean, list, object, type Schema, string } from '#query/schema.js';
import { Access, Public, PublicFromOwnPages } from '../../http/access/access.decorator.js';
import { Client, type SignInClient } from '../../http/access/client.js';
import { Sessions } from '../../http/access/sessions.service.js';
import { type ApiRequest, Caller } from '../../http/request.js';
import { json } from '../../http/routes/declare-route.js';
import { errorResponseOf } from '../../http/routes/responses.js';
import { Action } from '../../http/routes/route.decorators.js';
import { confirmationPath } from '../provider-paths.js';
import { ProviderClient } from '../provider-client.service.js';
import { CALLER_DETAILS } from './caller-details.service.js';
import { Reauthenticate, SetUp, SignIn } from './sign-in.dto.js';
import { SignInService } from './sign-in.service.js';

const STATE = {
  authenticated: boolean({ description: 'Whether the browser has a session. Only then is the caller described.' }),
  methods: object({
    password: boolean(),
    oidc: list(
      object({
        id: string({ example: '1' }),
        name: string({ example: 'Example Ltd.' }),
        start: string({
          description: 'Where the browser goes to sign in. With `?return_to=/path`, it returns to that path.',
          example: '/auth/oidc/1/start',
        }),
      }),
      { description: 'The identity providers with which people can sign in.' },
    ),
  }),
  setup_required: boolean({ description: 'Whether no one can sign in yet. A setup link creates the first user.' }),
};
export const SIGNED_IN = object({ ...STATE, ...CALLER_DETAILS });
const SIGNED_IN_OR_NOT: Schema = {
  type: 'object',
  properties: SIGNED_IN.properties ?? {},
  required: Object.keys(STATE),
};

const wrongPassword = errorResponseOf(
  401,
  'The e-mail address or the password is not correct.',
  'The e-mail address or the password is not correct.',
);

/** Signs browsers in and out. Sessions are in a cookie that scripts can't read. */
@ApiTags('Sign-in')
@Controller('auth')
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: Sessions,
    private readonly providers: ProviderClient,
  ) {}

  @Action({
    method: 'GET',
    path: 'session',
    status: 200,
    responseSchema: SIGNED_IN_OR_NOT,
    success: 'Whether someone has signed in, and who.',
    summary: 'Show whether the browser has a session',
  })
  @Public()
  async show(@Req() request: ApiRequest, @Client() client: SignInClient) {
    const principal = await this.sessions.current(request, client);
    return this.signIn.state(client, principal?.actor, request.origin);
  }

  @Action({
    method: 'POST',
    path: 'login',
    status: 200,
    responseSchema: SIGNED_IN,
    success: 'The browser has a new session, in a cookie.',
    summary: 'Sign in with e-mail address and password',
    nonComposable: true,
    responses: [wrongPassword],
  })
  @PublicFromOwnPages()
  async login(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Client() client: SignInClient,
    @Body() body: SignIn,
  ) {
    const actor = await this.signIn.verify(client, body);
    return this.start(actor, request, response, client);
  }

  @Action({
    method: 'POST',
    path: 'logout',
    status: 204,
    success: 'The browser has no session any more. There is no body.',
    summary: 'Sign out',
    nonComposable: true,
    responses: [
      json(
        200,
        'The browser has no session any more. To sign out of the identity provider too, go to `redirect`.',
        object({ redirect: string({ example: 'https://login.example.com/logout?id_token_hint=…' }) }),
      ),
    ],
  })
  @PublicFromOwnPages()
  async logout(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Client() client: SignInClient,
  ) {
    const principal = await this.sessions.current(request, client);
    const provided = principal && (await this.sessions.providedBy(principal.actor));
    if (principal) await this.sessions.end(principal.actor);
    this.sessions.clearCookie(request, response);
    if (!provided) return undefined;
    const { provider, idToken } = provided;
    const url = await this.providers.signOutUrl(provider, idToken, `${request.origin}/`);
    if (!url) return undefined;
    response.status(200);
    return { redirect: url.href };
  }

  @Action({
    method: 'POST',
    path: 'reauthenticate',
    status: 200,
    responseSchema: SIGNED_IN,
    success: 'For ten minutes, the session may do what requires a confirmation. It has a new id.',
    summary: 'Confirm who you are during a session',
    nonComposable: true,
    responses: [
      json(
        202,
        'Without a password: to confirm the session with the identity provider that began it, go to `redirect`.',
        object({ redirect: string({ example: '/auth/oidc/1/start?confirm=true&return_to=%2Faccount' }) }),
      ),
    ],
  })
  @Access({ session: true })
  async reauthenticate(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Client() client: SignInClient,
    @Caller() actor: Actor,
    @Body() { password, return_to: returnTo }: Reauthenticate,
  ) {
    if (password === undefined) {
      const provided = await this.sessions.providedBy(actor);
      if (!provided) throw new Invalid({ password: [REQUIRED] });
      response.status(202);
      return { redirect: confirmationPath(provided.provider.id, returnTo) };
    }
    await this.signIn.verifyAgain(client, actor, password);
    await this.sessions.confirm(actor, request, response);
    return this.signIn.state(client, actor, request.origin);
  }

  @Action({
    method: 'POST',
    path: 'setup',
    status: 201,
    responseSchema: SIGNED_IN,
    success: 'The first super-user exists, and the browser has a session of theirs.',
    summary: 'Create the first super-user with a setup link',
    nonComposable: true,
  })
  @PublicFromOwnPages()
  async setUp(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Client() client: SignInClient,
    @Body() body: SetUp,
  ) {
    const actor = await this.signIn.setUp(client, body);
    return this.start(actor, request, response, client);
  }

  private async start(actor: Actor, request: ApiRequest, response: Response, client: SignInClient) {
    const owner = await this.sessions.start(actor, client, request, response);
    return this.signIn.state(client, owner, request.origin);
  }
}
