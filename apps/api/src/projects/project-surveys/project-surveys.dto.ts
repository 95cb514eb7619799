import { BooleanField, Reference, Text } from '../../http/body/fields.js';

export class ChangeDraft {
  @Reference('profile', {
    optional: true,
    description: 'Its answers take the place of those of the draft; the project gets it when the draft is saved.',
    example: 'P1',
  })
  profile?: string;
}

export class ChangeDraftAnswer {
  @BooleanField({ optional: true, description: 'Whether the answer is chosen.' })
  selected?: boolean;
}

export class ChangeSurveyComment {
  @Text({ optional: true, description: 'What you have to say; only its author can change it.' })
  text?: string;

  @BooleanField({ optional: true, description: 'To be shown first.' })
  pinned?: boolean;

  @BooleanField({ optional: true, description: 'Its text stays as it is.' })
  locked?: boolean;
}

export class CreateSurveyComment {
  @Reference('survey_question', { description: 'The question that it is about.', example: 'Q4' })
  question!: string;

  @Text({ description: 'What you have to say.', example: 'To be asked at the next review.' })
  text!: string;

  @BooleanField({ optional: true, default: false, description: 'To be shown first.' })
  pinned?: boolean;

  @BooleanField({ optional: true, default: false, description: 'Its text stays as it is.' })
  locked?: boolean;
}
