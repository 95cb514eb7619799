import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { applicationProjection } from '#domain/projects/application/application.projection.js';
import { projectProjection } from '#domain/projects/project/project.projection.js';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { Settings } from '#platform/injected.js';
import { Reads } from '../../http/listing/reads.service.js';
import { ResourceService } from '../../http/resources/resource.service.js';

@Injectable()
export class ActivitiesService extends ResourceService {
  constructor(
    em: EntityManager,
    reads: Reads,
    private readonly settings: Settings,
  ) {
    super(em, reads);
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
