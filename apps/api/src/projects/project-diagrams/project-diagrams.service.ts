import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createProjectDiagram,
  removeProjectDiagram,
  updateProjectDiagram,
} from '#domain/projects/project-diagram/project-diagram.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeProjectDiagram, CreateProjectDiagram } from './project-diagrams.dto.js';

@Injectable()
export class ProjectDiagramsService extends ResourceService {
  create(actor: Actor, input: CreateProjectDiagram, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createProjectDiagram(em, actor, input));
  }

  update(actor: Actor, id: string, changes: ChangeProjectDiagram, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateProjectDiagram(em, actor, id, changes));
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeProjectDiagram(em, actor, id));
  }
}
