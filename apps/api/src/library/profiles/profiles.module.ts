import { profileProjection } from '#domain/library/profile/profile.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';

export const ProfilesModule = readOnlyModule({
  name: 'Profiles',
  path: 'profiles',
  tag: 'Profiles',
  family: 'library',
  projection: profileProjection,
  summaries: { list: 'List profiles', item: 'Show a profile' },
});
