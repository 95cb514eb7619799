import { identityProviderFields } from '#domain/access/identity-provider/identity-provider.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateIdentityProvider extends BodyOf(identityProviderFields) {}

export class ChangeIdentityProvider extends Changes(CreateIdentityProvider) {}
