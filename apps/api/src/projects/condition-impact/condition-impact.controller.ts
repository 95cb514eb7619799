import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { countermeasureProjection } from '#domain/library/countermeasure/countermeasure.projection.js';
import { MAX_NAMED_PROJECTS } from '#domain/projects/project-content/condition-impact.js';
import * as schema from '#query/schema.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { Caller } from '../../http/request.js';
import { Action } from '../../http/routes/route.decorators.js';
import { AssessConditions } from './condition-impact.dto.js';
import { ConditionImpactService } from './condition-impact.service.js';

const affected = (description: string): schema.Schema =>
  schema.object(
    {
      count: schema.integer({ description: 'How many projects.', example: 3 }),
      projects: schema.list(
        schema.object({ id: schema.integer({ example: 1 }), name: schema.string({ example: 'Web shop 2.0' }) }),
        { description: `The first ${MAX_NAMED_PROJECTS} of them that you can see, by name.` },
      ),
    },
    { description },
  );

const IMPACT = schema.object({
  gained: affected('The projects that the countermeasure would be added to.'),
  lost: affected('The projects in which it would no longer be relevant.'),
  kept: affected('The projects in which it stays relevant: a change of its texts reaches them.'),
});

@ApiTags('Countermeasures')
@InFamily('library')
@Controller('library/tasks')
export class ConditionImpactController {
  constructor(private readonly impact: ConditionImpactService) {}

  @Action({
    method: 'POST',
    path: ':id/impact',
    status: 200,
    items: [{ parameter: 'id', projection: countermeasureProjection }],
    responseSchema: IMPACT,
    heavy: true,
    keyed: false,
    success: 'The projects that would gain, lose or keep the countermeasure. Nothing was changed.',
    summary: 'Show which projects other match conditions of a countermeasure would affect',
  })
  @Access({ permission: 'customize_content' })
  assess(@Caller() actor: Actor, @Param('id') id: string, @Body() body: AssessConditions) {
    return this.impact.assess(actor, id, body);
  }
}
