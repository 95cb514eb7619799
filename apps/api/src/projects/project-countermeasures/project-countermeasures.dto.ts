import { PRIORITY, TAG_MAXIMUM_LENGTH } from '#domain/library/countermeasure/countermeasure.rules.js';
import { ARTIFACT_PROXY_MAXIMUM_LENGTH } from '#domain/projects/project-countermeasure/project-countermeasure.rules.js';
import { EMAIL_MAXIMUM_LENGTH } from '#domain/access/user/user.rules.js';
import {
  BooleanField,
  Changes,
  IntegerField,
  ObjectListField,
  StringField,
  StringListField,
  Reference,
  Text,
} from '../../http/body/fields.js';

class OwnFields {
  @StringField({ description: 'What is to be done, in a few words.', example: 'Have the payment page reviewed' })
  title!: string;

  @Text({ description: 'CommonMark.', example: 'Before **each** release, by someone from outside of the team.' })
  text!: string;

  @Reference('phase', { description: 'When it is due.', example: 'X4' })
  phase!: string;

  @IntegerField({ ...PRIORITY, description: '10 is the most urgent.', example: 7 })
  priority!: number;
}

export class AddProjectCountermeasure extends Changes(OwnFields) {
  @Reference('countermeasure', {
    optional: true,
    description: 'One of the library. Without it, one of the project’s own is made: of all the other fields.',
    example: 'T21',
  })
  task_id?: string;
}

export class AssigneeBody {
  @StringField({ maximum: EMAIL_MAXIMUM_LENGTH, blank: true, example: 'grace@example.com' })
  email!: string;
}

/** Title, text, phase and priority can be changed of one of the project's own; of others they are ignored. */
export class ChangeProjectCountermeasure extends Changes(OwnFields) {
  @StringField({
    optional: true,
    maximum: 100,
    description: 'How far it is: the id, meaning or name of a status, in any case.',
    example: 'TS1',
  })
  status?: string;

  @Text({ optional: true, blank: true, description: 'Becomes a note.', example: 'Done with release 2.1.' })
  status_note?: string;

  @BooleanField({ optional: true, description: 'Whether it is worked on.' })
  accepted?: boolean;

  @ObjectListField(() => AssigneeBody, {
    optional: true,
    shorthand: () => 'email',
    shown: ['first_name', 'last_name', 'is_active', 'role'],
    description: 'All assigned users, as e-mail addresses or objects with an `email`. They must be active.',
    example: [{ email: 'grace@example.com' }],
  })
  assigned_to?: AssigneeBody[];

  @StringListField({
    optional: true,
    maximum: TAG_MAXIMUM_LENGTH,
    description: 'All tags. They replace those from the library.',
    example: ['passwords'],
  })
  tags?: string[];

  @StringField({
    optional: true,
    blank: true,
    maximum: ARTIFACT_PROXY_MAXIMUM_LENGTH,
    description: 'Its counterpart elsewhere, such as an issue.',
    example: 'SHOP-123',
  })
  artifact_proxy?: string;
}
