import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createProject, removeProject, updateProject } from '#domain/projects/project/project.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeProject, CreateProject } from './projects.dto.js';

@Injectable()
export class ProjectsService extends ResourceService {
  create(actor: Actor, input: CreateProject, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createProject(em, actor, input));
  }

  update(actor: Actor, id: string, changes: ChangeProject, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateProject(em, actor, id, changes));
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeProject(em, actor, id));
  }
}
