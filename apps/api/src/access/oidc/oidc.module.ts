import { Module } from '@nestjs/common';
import { OidcSignIn } from './oidc-sign-in.service.js';
import { ProviderClient } from '../provider-client.service.js';

@Module({ providers: [OidcSignIn, ProviderClient], exports: [ProviderClient] })
export class OidcModule {}
