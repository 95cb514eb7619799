import { BEHAVIOURS, CONFIDENCES } from '#domain/projects/project-countermeasure/note.rules.js';
import { VERIFICATIONS } from '#domain/projects/project-countermeasure/project-countermeasure.rules.js';
import { Changes, ChoiceField, IntegerField, StringField, ObjectListField, Text } from '../../http/body/fields.js';

export class CreateNote {
  @Text({ description: 'CommonMark.', example: 'Reviewed with the team; see the **threat model**.' })
  text!: string;
}

export class ChangeNote extends Changes(CreateNote) {}

class FindingBody {
  @Text({ maximum: 10_000, description: 'What was found.', example: 'SQL injection in /search' })
  desc!: string;

  @IntegerField({ optional: true, minimum: 0, default: 1, description: 'How often.', example: 2 })
  count?: number;
}

export class CreateAnalysisNote {
  @ChoiceField({ choices: VERIFICATIONS, description: 'What it found.', example: 'fail' })
  status!: (typeof VERIFICATIONS)[number];

  @ChoiceField({
    optional: true,
    choices: BEHAVIOURS,
    default: 'replace',
    description: 'Whether it takes the place of what was found before, or is combined with it: then the worst counts.',
  })
  behaviour?: (typeof BEHAVIOURS)[number];

  @ChoiceField({ optional: true, choices: CONFIDENCES, default: 'high', description: 'How sure it is.' })
  confidence?: (typeof CONFIDENCES)[number];

  @StringField({
    optional: true,
    blank: true,
    nullable: true,
    description: 'The run of the analysis; null for a verification by hand.',
    example: 'nightly-42',
  })
  analysis_session?: string | null;

  @ObjectListField(() => FindingBody, {
    optional: true,
    noneAsObject: true,
    description: 'All findings. `{}` counts as an empty list.',
  })
  findings?: FindingBody[];

  @StringField({
    optional: true,
    blank: true,
    maximum: 2000,
    alias: 'findings_ref',
    description: 'Where the findings can be seen; also sent as `findings_ref`.',
    example: 'https://scan.example.com/7',
  })
  finding_ref?: string;
}

export class ChangeAnalysisNote extends Changes(CreateAnalysisNote) {}
