import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { regulationProjection } from '#domain/library/regulation/regulation.projection.js';
import {
  COVERAGE_SUMMARY,
  regulationCoverageProjection,
} from '#domain/projects/regulation-coverage/regulation-coverage.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { List } from '../../http/routes/route.decorators.js';
import { RegulationCoverageService } from './regulation-coverage.service.js';

@ApiTags('Regulations')
@InFamily('library')
@Controller('library/regulations/:regulation/coverage')
export class RegulationCoverageController {
  constructor(private readonly coverage: RegulationCoverageService) {}

  @List(regulationCoverageProjection, {
    within: [{ parameter: 'regulation', projection: regulationProjection }],
    extraFields: { summary: COVERAGE_SUMMARY },
    summary: "Show the coverage of a regulation: its sections with countermeasures, and a project's progress",
  })
  @Access()
  list(@Caller() actor: Actor, @Param('regulation') regulation: string, @ReadRequest() readRequest: ReadRequest) {
    return this.coverage.list(actor, regulation, readRequest);
  }
}
