import { BooleanField, Changes, StringField, Reference, Text } from '../../http/body/fields.js';

export class CreateAttribute {
  @StringField({ description: 'What a project with it is like, has or does.', example: 'Biometric data' })
  name!: string;

  @Text({ blank: true, optional: true, default: '', example: 'Fingerprints, faces and voices that identify people.' })
  description?: string;

  @Reference('attribute', {
    optional: true,
    nullable: true,
    default: null,
    description: 'The attribute above; null makes it a root.',
    example: 'AT2',
  })
  parent?: string | null;

  @BooleanField({ optional: true, default: true })
  active?: boolean;
}

export class ChangeAttribute extends Changes(CreateAttribute) {}
