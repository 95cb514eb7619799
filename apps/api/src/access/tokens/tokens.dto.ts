import { TOKEN_NAME_MAXIMUM_LENGTH } from '#domain/access/token/token.rules.js';
import { StringField, Timestamp } from '../../http/body/fields.js';

export class CreateToken {
  @StringField({ maximum: TOKEN_NAME_MAXIMUM_LENGTH, description: 'What it is for.', example: 'CI pipeline' })
  name!: string;

  @Timestamp({
    optional: true,
    nullable: true,
    description:
      'When it stops working; without it, or with null, never. Without an offset it is local to `TIME_ZONE`. A ' +
      'token makes none that expires later than itself.',
    example: '2099-12-31T23:59:59Z',
  })
  expires?: string | null;
}
