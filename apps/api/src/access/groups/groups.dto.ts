import { groupFields } from '#domain/access/group/group.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateGroup extends BodyOf(groupFields) {}

export class ChangeGroup extends Changes(CreateGroup) {}
