import { tokenPolicyFields } from '#domain/access/token-policy/token-policy.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class ChangeTokenPolicy extends Changes(BodyOf(tokenPolicyFields)) {}
