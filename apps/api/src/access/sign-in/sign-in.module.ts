import { Module } from '@nestjs/common';
import { Settings } from '#platform/injected.js';
import { Mailer } from '#platform/mail/mailer.js';
import { OidcModule } from '../oidc/oidc.module.js';
import { CallerDetails } from './caller-details.service.js';
import { InvitationsController } from './invitations.controller.js';
import { SessionController } from './session.controller.js';
import { SignInController } from './sign-in.controller.js';
import { SignInService } from './sign-in.service.js';

@Module({
  imports: [OidcModule],
  controllers: [InvitationsController, SessionController, SignInController],
  providers: [
    CallerDetails,
    SignInService,
    { provide: Mailer, inject: [Settings], useFactory: (settings: Settings) => new Mailer(settings) },
  ],
})
export class SignInModule {}
