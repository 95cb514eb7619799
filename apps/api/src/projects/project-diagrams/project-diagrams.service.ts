import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createProjectDiagram,
  removeProjectDiagram,
  updateProjectDiagram,
} from '#domain/projects/project-diagram/project-diagram.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeProjectDiagram, CreateProjectDiagram } from './project-diagrams.dto.js';

@Injectable()
export class ProjectDiagramsService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, readRequest: ReadRequest): Promise<JsonText | JsonStream> {
    return this.reads.list(actor, readRequest);
  }

  get(actor: Actor, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(actor, id, readRequest);
  }

  create(actor: Actor, input: CreateProjectDiagram, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createProjectDiagram(em, actor, input);
      return this.reads.item(actor, id, readRequest, em);
    });
  }

  update(actor: Actor, id: string, changes: ChangeProjectDiagram, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateProjectDiagram(em, actor, id, changes);
      return this.reads.item(actor, id, readRequest, em);
    });
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeProjectDiagram(em, actor, id));
  }
}
