import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  type BulkResult,
  updateProjectCountermeasures,
} from '#domain/projects/project-countermeasure/bulk-change.commands.js';
import { updateProjectCountermeasure } from '#domain/projects/project-countermeasure/change.commands.js';
import {
  addProjectCountermeasure,
  removeProjectCountermeasure,
} from '#domain/projects/project-countermeasure/project-countermeasure.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import { bulkTargetOf } from './bulk-target.js';
import type {
  AddProjectCountermeasure,
  ChangeProjectCountermeasure,
  ChangeProjectCountermeasures,
} from './project-countermeasures.dto.js';

@Injectable()
export class ProjectCountermeasuresService extends ResourceService {
  add(actor: Actor, project: string, input: AddProjectCountermeasure, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => addProjectCountermeasure(em, actor, project, input));
  }

  update(
    actor: Actor,
    project: string,
    id: string,
    changes: ChangeProjectCountermeasure,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateProjectCountermeasure(em, actor, project, id, changes));
  }

  async updateAll(
    actor: Actor,
    project: string,
    { changes, ...target }: ChangeProjectCountermeasures,
  ): Promise<BulkResult> {
    const selected = bulkTargetOf(target);
    return inTransaction(this.em, actor, (em) => updateProjectCountermeasures(em, actor, project, selected, changes));
  }

  remove(actor: Actor, project: string, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeProjectCountermeasure(em, actor, project, id));
  }
}
