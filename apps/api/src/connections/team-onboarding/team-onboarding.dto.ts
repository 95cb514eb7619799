import { REPOSITORY_URL_MAXIMUM_LENGTH, repositoryUrlProblem } from '#domain/connections/scan/scan.rules.js';
import { IntegerField, StringField } from '../../http/body/fields.js';

export class CreateScan {
  @IntegerField({ description: 'Its project.', example: 1 })
  project!: number;

  @IntegerField({ optional: true, nullable: true, description: 'The connection to use.', example: null })
  connection?: number | null;

  @StringField({
    maximum: REPOSITORY_URL_MAXIMUM_LENGTH,
    check: repositoryUrlProblem,
    description: 'What to scan: http, https or ssh, without credentials and query.',
    example: 'https://git.example.com/shop',
  })
  repository_url!: string;
}
