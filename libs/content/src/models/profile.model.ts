import { profileFields } from '#domain/library/profile/profile.fields.js';
import { profileProjection } from '#domain/library/profile/profile.projection.js';
import { modelOf } from './content-model.js';

export const profileModel = modelOf(profileProjection, {
  name: 'profile',
  title: 'Profiles',
  fields: profileFields,
});
