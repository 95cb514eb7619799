import { Controller, Param, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { type ApiRequest, Caller } from '../../http/request.js';
import { Render } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';
import { PROJECT_REPORT } from './project-report.schema.js';
import { ProjectReportService, REPORT_TYPES } from './project-report.service.js';

const TEXT = { type: 'string' };

@ApiTags('Projects')
@InFamily('projects')
@Controller('projects/:project/report')
export class ProjectReportController {
  constructor(private readonly reports: ProjectReportService) {}

  @Render({
    within: WITHIN_PROJECT,
    choices: {},
    content: { [REPORT_TYPES.json]: PROJECT_REPORT, [REPORT_TYPES.html]: TEXT, [REPORT_TYPES.markdown]: TEXT },
    success: 'The project as a document, in the format that `Accept` prefers.',
    summary: 'Show a project as a document: answers, countermeasures with notes and evidence, coverage of regulations',
  })
  @Access()
  show(@Caller() actor: Actor, @Param('project') project: string, @Req() request: ApiRequest) {
    return this.reports.show(actor, project, request.accepts(Object.values(REPORT_TYPES)));
  }
}
