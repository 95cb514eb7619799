import { RESOLUTIONS } from '#domain/library/library-upgrade/library-upgrade.commands.js';
import { choice } from '#domain/kernel/fields/fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class ResolveUpgrade extends BodyOf({
  resolution: choice(RESOLUTIONS, {
    description: "`take` the release's value, or `keep` the organization's. Only an `open` conflict can be resolved.",
    example: 'take',
  }),
}) {}
