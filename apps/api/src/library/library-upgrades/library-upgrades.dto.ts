import { RESOLUTIONS } from '#domain/library/library-upgrade/library-upgrade.commands.js';
import { choice } from '#domain/kernel/fields/fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class ResolveUpgrade extends BodyOf({
  resolution: choice(RESOLUTIONS, {
    description: '`take` what ships, or `keep` what the organization has. Only an `open` one can be decided.',
    example: 'take',
  }),
}) {}
