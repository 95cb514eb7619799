import { profileProjection } from '#domain/library/profile/profile.projection.js';
import { modelOf } from './content-model.js';

export const profileModel = modelOf(profileProjection, {
  name: 'profile',
  title: 'Profiles',
  writable: ['name', 'description', 'answers', 'default', 'logo_url', 'active'],
  references: { answers: 'answer' },
  long: ['description'],
  required: ['name'],
  unordered: ['answers'],
});
