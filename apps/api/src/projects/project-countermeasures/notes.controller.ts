import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import type { NotePath } from '#domain/projects/project-countermeasure/note.commands.js';
import { noteProjection } from '#domain/projects/project-countermeasure/note.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeNote, CreateNote } from './project-countermeasures.dto.js';
import { NotesService } from './notes.service.js';
import { COUNTERMEASURE } from './path-items.js';

@ApiTags('Countermeasures of projects')
@InFamily('projects')
@Controller('projects/:project/tasks/:task/notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @List(noteProjection, { within: COUNTERMEASURE, summary: 'List the notes of a countermeasure of a project' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.notes.list(readRequest);
  }

  @Item(noteProjection, { within: COUNTERMEASURE, summary: 'Show a note' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.notes.get(id, readRequest);
  }

  @Create(noteProjection, { within: COUNTERMEASURE, status: 201, summary: 'Create a note' })
  @Access({ inProject: 'notes' })
  create(
    @Caller() actor: Actor,
    @Param() path: NotePath,
    @Body() body: CreateNote,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.notes.create(actor, path, body, readRequest);
  }

  @Change(noteProjection, { within: COUNTERMEASURE, summary: 'Change a note' })
  @Access({ inProject: 'notes' })
  update(
    @Caller() actor: Actor,
    @Param() path: NotePath,
    @Param('id') id: string,
    @Body() body: ChangeNote,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.notes.update(actor, path, id, body, readRequest);
  }

  @Remove(noteProjection, { within: COUNTERMEASURE, summary: 'Delete a note, as its author or a lead of the project' })
  @Access({ inProject: 'notes' })
  remove(@Caller() actor: Actor, @Param() path: NotePath, @Param('id') id: string) {
    return this.notes.remove(actor, path, id);
  }
}
