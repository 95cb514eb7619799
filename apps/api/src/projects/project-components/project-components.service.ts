import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { applyComponentUpdates } from '#domain/projects/project-component/component-update.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { TakeComponentUpdates } from './project-components.dto.js';

@Injectable()
export class ProjectComponentsService extends ResourceService {
  takeUpdates(actor: Actor, project: string, { component_ids: ids }: TakeComponentUpdates): Promise<void> {
    return inTransaction(this.em, actor, (em) => applyComponentUpdates(em, actor, project, ids));
  }
}
