import { globalRoleFields } from '#domain/access/role/role.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateGlobalRole extends BodyOf(globalRoleFields) {}

export class ChangeGlobalRole extends Changes(CreateGlobalRole) {}
