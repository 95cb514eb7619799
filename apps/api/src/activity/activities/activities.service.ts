import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { applicationProjection } from '#domain/projects/application/application.projection.js';
import { projectProjection } from '#domain/projects/project/project.projection.js';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { Settings } from '#platform/injected.js';
import type { JsonList, JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';

@Injectable()
export class ActivitiesService {
  constructor(
    private readonly reads: Reads,
    private readonly settings: Settings,
  ) {}

  list(actor: Actor, readRequest: ReadRequest): Promise<JsonList> {
    return this.reads.list(actor, readRequest);
  }

  get(actor: Actor, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(actor, id, readRequest);
  }

  listOwn(actor: Actor, readRequest: ReadRequest): Promise<JsonList> {
    return this.reads.list(actor, readRequest);
  }

  listOfProject(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonList> {
    return this.reads.list(within(actor, project), readRequest);
  }

  /**
   * The address of what a text links to, below `PUBLIC_URL` where there is one. Throws `NotFound` where the caller does
   * not see it.
   */
  async addressOf(kind: 'application' | 'project', actor: Actor, id: string): Promise<string> {
    const projection = kind === 'project' ? projectProjection : applicationProjection;
    if (!(await this.reads.exists(projection, actor, id))) throw new NotFound();
    return `${this.settings.publicUrl ?? ''}/api/v2/${kind}s/${id}/`;
  }
}
