import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createProject, removeProject, updateProject } from '#domain/projects/project/project.commands.js';
import { projectProjection } from '#domain/projects/project/project.projection.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import type { Asked } from '../../http/listing/asked.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeProject, CreateProject } from './projects.dto.js';

@Injectable()
export class ProjectsService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, asked: Asked): Promise<JsonText | JsonStream> {
    return this.reads.list(projectProjection, actor, asked);
  }

  get(actor: Actor, id: string, asked: Asked): Promise<JsonText> {
    return this.reads.item(projectProjection, actor, id, asked);
  }

  create(actor: Actor, input: CreateProject, asked: Asked): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createProject(em, actor, input);
      return this.reads.item(projectProjection, actor, id, asked, em);
    });
  }

  update(actor: Actor, id: string, changes: ChangeProject, asked: Asked): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateProject(em, actor, id, changes);
      return this.reads.item(projectProjection, actor, id, asked, em);
    });
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeProject(em, actor, id));
  }
}
