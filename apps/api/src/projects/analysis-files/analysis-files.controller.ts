import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { VERIFICATIONS } from '#domain/projects/project-countermeasure/project-countermeasure.rules.js';
import * as schema from '#query/schema.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { UploadedForm } from '../../http/files/upload.js';
import { Caller } from '../../http/request.js';
import { errorResponseOf } from '../../http/routes/responses.js';
import { Action } from '../../http/routes/route.decorators.js';
import { AnalysisFilesService } from './analysis-files.service.js';

const FORM = {
  report_file: schema.string({ format: 'binary', description: 'A JUnit report (XML) or a SARIF log (JSON).' }),
  project: schema.integer({ description: 'The project whose countermeasures are verified.', example: 1 }),
  system: schema.string({
    description:
      'The tool that produced the report. It replaces earlier results of the same tool; the worst tool counts.',
    example: 'sonarqube',
  }),
};

/** How many of these belong to accepted countermeasures of the project. */
const matchCounts = (what: string) =>
  schema.object(
    { matched: schema.integer({ example: 12 }), unmatched: schema.integer({ example: 3 }) },
    { description: `How many ${what} of the report refer to accepted countermeasures of the project.` },
  );

const ANSWER = schema.object({
  id: schema.string({
    description: 'Id of the run, stored as `analysis_session` in its verification notes.',
    example: 'sonarqube-1b9d6bcd',
  }),
  project: schema.integer({ example: 1 }),
  system: schema.string({ example: 'sonarqube' }),
  status: schema.string({ enum: ['success'] }),
  tasks: schema.list(
    schema.object({
      id: schema.string({ example: '1-T21' }),
      verification_status: schema.string({ enum: VERIFICATIONS }),
    }),
    { description: 'The verification result of each countermeasure about which the report has a verdict.' },
  ),
  results: matchCounts('results'),
  rules: matchCounts('rules or tests'),
  unmatched_rules: schema.list(schema.string({ example: 'no-unused-vars' }), {
    description:
      'Rules and tests that refer to no accepted countermeasure of the project, at most 100. Map them to weaknesses ' +
      'at `/library/rule-mappings/`.',
  }),
  warnings: schema.list(schema.string({ example: 'The run of CodeQL failed, so it verifies nothing.' }), {
    description: 'Why parts of the report verify nothing.',
  }),
});

/** Reports of tools and tests that verify countermeasures. */
@ApiTags('Countermeasures of projects')
@InFamily('projects')
@Controller('jobs/analysis-file')
export class AnalysisFilesController {
  constructor(private readonly files: AnalysisFilesService) {}

  @Action({
    method: 'POST',
    status: 201,
    form: FORM,
    required: ['report_file', 'project', 'system'],
    responseSchema: ANSWER,
    responses: [
      errorResponseOf(
        403,
        'Requires a role in the project that allows `verification`.',
        'Your role in this project does not allow you to change this (verification).',
      ),
    ],
    success: 'The report was imported. The body counts what it verified.',
    summary: 'Verify the countermeasures of a project from a scan report',
  })
  @Access()
  take(@Caller() actor: Actor, @Body() form: UploadedForm) {
    return this.files.apply(actor, form);
  }
}
