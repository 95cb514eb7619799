import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createProjectDiagram,
  removeProjectDiagram,
  updateProjectDiagram,
} from '#domain/projects/project-diagram/project-diagram.commands.js';
import { projectDiagramProjection } from '#domain/projects/project-diagram/project-diagram.projection.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import type { Asked } from '../../http/listing/asked.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeProjectDiagram, CreateProjectDiagram } from './project-diagrams.dto.js';

@Injectable()
export class ProjectDiagramsService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, asked: Asked): Promise<JsonText | JsonStream> {
    return this.reads.list(projectDiagramProjection, actor, asked);
  }

  get(actor: Actor, id: string, asked: Asked): Promise<JsonText> {
    return this.reads.item(projectDiagramProjection, actor, id, asked);
  }

  create(actor: Actor, input: CreateProjectDiagram, asked: Asked): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createProjectDiagram(em, actor, input);
      return this.reads.item(projectDiagramProjection, actor, id, asked, em);
    });
  }

  update(actor: Actor, id: string, changes: ChangeProjectDiagram, asked: Asked): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateProjectDiagram(em, actor, id, changes);
      return this.reads.item(projectDiagramProjection, actor, id, asked, em);
    });
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeProjectDiagram(em, actor, id));
  }
}
