import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createAnalysisNote,
  updateAnalysisNote,
} from '#domain/projects/project-countermeasure/analysis-note.commands.js';
import { createNote, type NotePlace, updateNote } from '#domain/projects/project-countermeasure/note.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonList, JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeAnalysisNote, ChangeNote, CreateAnalysisNote, CreateNote } from './notes.dto.js';

const inside = (actor: Actor, { project, task }: NotePlace) => within(actor, project, task);

/** Notes of people and of analysis. */
@Injectable()
export class NotesService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, place: NotePlace, readRequest: ReadRequest): Promise<JsonList> {
    return this.reads.list(inside(actor, place), readRequest);
  }

  get(actor: Actor, place: NotePlace, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(inside(actor, place), id, readRequest);
  }

  create(actor: Actor, place: NotePlace, { text }: CreateNote, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, actor, async (em) => {
      const id = await createNote(em, actor, place, text);
      return this.reads.item(inside(actor, place), id, readRequest, em);
    });
  }

  update(
    actor: Actor,
    place: NotePlace,
    id: string,
    { text }: ChangeNote,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, actor, async (em) => {
      await updateNote(em, actor, place, id, text);
      return this.reads.item(inside(actor, place), id, readRequest, em);
    });
  }

  createAnalysis(
    actor: Actor,
    place: NotePlace,
    input: CreateAnalysisNote,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, actor, async (em) => {
      const id = await createAnalysisNote(em, actor, place, input);
      return this.reads.item(inside(actor, place), id, readRequest, em);
    });
  }

  updateAnalysis(
    actor: Actor,
    place: NotePlace,
    id: string,
    changes: ChangeAnalysisNote,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, actor, async (em) => {
      await updateAnalysisNote(em, actor, place, id, changes);
      return this.reads.item(inside(actor, place), id, readRequest, em);
    });
  }
}
