import { savedViewFields } from '#domain/access/saved-view/saved-view.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateSavedView extends BodyOf(savedViewFields) {}

export class ChangeSavedView extends Changes(CreateSavedView) {}
