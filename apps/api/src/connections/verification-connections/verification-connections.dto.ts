import { verificationConnectionFields } from '#domain/connections/verification-connection/verification-connection.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateVerificationConnection extends BodyOf(verificationConnectionFields) {}

export class ChangeVerificationConnection extends Changes(CreateVerificationConnection) {}
