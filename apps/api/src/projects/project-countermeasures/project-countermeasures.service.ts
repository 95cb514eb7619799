import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { updateProjectCountermeasure } from '#domain/projects/project-countermeasure/change-countermeasure.js';
import {
  addProjectCountermeasure,
  removeProjectCountermeasure,
} from '#domain/projects/project-countermeasure/project-countermeasure.commands.js';
import { projectCountermeasureProjection } from '#domain/projects/project-countermeasure/project-countermeasure.projection.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import { type Asked, within } from '../../http/listing/asked.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { AddProjectCountermeasure, ChangeProjectCountermeasure } from './project-countermeasures.dto.js';

/** Published clients look for it beside the results. */
const FACETS = { facets: {} };

@Injectable()
export class ProjectCountermeasuresService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, project: string, asked: Asked): Promise<JsonText | JsonStream> {
    return this.reads.list(projectCountermeasureProjection, within(actor, project), asked, undefined, FACETS);
  }

  get(actor: Actor, project: string, id: string, asked: Asked): Promise<JsonText> {
    return this.reads.item(projectCountermeasureProjection, within(actor, project), id, asked);
  }

  add(actor: Actor, project: string, input: AddProjectCountermeasure, asked: Asked): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await addProjectCountermeasure(em, actor, project, input);
      return this.reads.item(projectCountermeasureProjection, within(actor, project), id, asked, em);
    });
  }

  update(
    actor: Actor,
    project: string,
    id: string,
    changes: ChangeProjectCountermeasure,
    asked: Asked,
  ): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateProjectCountermeasure(em, actor, project, id, changes);
      return this.reads.item(projectCountermeasureProjection, within(actor, project), id, asked, em);
    });
  }

  remove(actor: Actor, project: string, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeProjectCountermeasure(em, actor, project, id));
  }
}
