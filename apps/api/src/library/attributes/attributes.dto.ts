import { Bool, Changes, Line, Reference, Text } from '../../http/body/fields.js';

export class CreateAttribute {
  @Line({ description: 'What a project with it is like, has or does.', example: 'Biometric data' })
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

  @Bool({ optional: true, default: true })
  active?: boolean;
}

export class ChangeAttribute extends Changes(CreateAttribute) {}
