import { RESOLUTIONS, type Resolution } from '#domain/library/library-upgrade/library-upgrade.commands.js';
import { ChoiceField } from '../../http/body/fields.js';

export class ResolveUpgrade {
  @ChoiceField({
    choices: RESOLUTIONS,
    description: '`take` what ships, or `keep` what the organization has. Only an `open` one can be decided.',
    example: 'take',
  })
  resolution!: Resolution;
}
