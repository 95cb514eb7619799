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
   * The address that a link in an activity's text redirects to, below `PUBLIC_URL` if it is set. Throws `NotFound` if
   * the caller can't see the item.
   */
  async addressOf(kind: 'application' | 'project', actor: Actor, id: string): Promise<string> {
    const projection = kind === 'project' ? projectProjection : applicationProjection;
    if (!(await this.reads.exists(projection, actor, id))) throw new NotFound();
    return `${this.settings.publicUrl ?? ''}/api/v2/${kind}s/${id}/`;
  }
}
