import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createAnalysisNote,
  updateAnalysisNote,
} from '#domain/projects/project-countermeasure/analysis-note.commands.js';
import {
  createNote,
  deleteNote,
  type NotePath,
  updateNote,
} from '#domain/projects/project-countermeasure/note.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeAnalysisNote, ChangeNote, CreateAnalysisNote, CreateNote } from './project-countermeasures.dto.js';

/** Notes of users and of analysis tools. */
@Injectable()
export class NotesService extends ResourceService {
  create(actor: Actor, countermeasure: NotePath, { text }: CreateNote, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createNote(em, actor, countermeasure, text));
  }

  update(
    actor: Actor,
    countermeasure: NotePath,
    id: string,
    { text }: ChangeNote,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateNote(em, actor, countermeasure, id, text));
  }

  remove(actor: Actor, countermeasure: NotePath, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => deleteNote(em, actor, countermeasure, id));
  }

  createAnalysis(
    actor: Actor,
    countermeasure: NotePath,
    input: CreateAnalysisNote,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createAnalysisNote(em, actor, countermeasure, input));
  }

  updateAnalysis(
    actor: Actor,
    countermeasure: NotePath,
    id: string,
    changes: ChangeAnalysisNote,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateAnalysisNote(em, actor, countermeasure, id, changes));
  }
}
