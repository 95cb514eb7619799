import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { updateProjectCountermeasure } from '#domain/projects/project-countermeasure/change-countermeasure.js';
import {
  addProjectCountermeasure,
  removeProjectCountermeasure,
} from '#domain/projects/project-countermeasure/project-countermeasure.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonList, JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { AddProjectCountermeasure, ChangeProjectCountermeasure } from './project-countermeasures.dto.js';

/** Published clients look for it besides the results. */
const FACETS = { facets: {} };

@Injectable()
export class ProjectCountermeasuresService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonList> {
    return this.reads.list(within(actor, project), readRequest, undefined, FACETS);
  }

  get(actor: Actor, project: string, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(within(actor, project), id, readRequest);
  }

  add(actor: Actor, project: string, input: AddProjectCountermeasure, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, actor, async (em) => {
      const id = await addProjectCountermeasure(em, actor, project, input);
      return this.reads.item(within(actor, project), id, readRequest, em);
    });
  }

  update(
    actor: Actor,
    project: string,
    id: string,
    { assigned_to: assignees, ...changes }: ChangeProjectCountermeasure,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, actor, async (em) => {
      const emails = assignees && { assigned_to: assignees.map(({ email }) => email) };
      await updateProjectCountermeasure(em, actor, project, id, { ...changes, ...emails });
      return this.reads.item(within(actor, project), id, readRequest, em);
    });
  }

  remove(actor: Actor, project: string, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeProjectCountermeasure(em, actor, project, id));
  }
}
