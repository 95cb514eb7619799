import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import type { NotePath } from '#domain/projects/project-countermeasure/note.commands.js';
import { analysisNoteProjection } from '#domain/projects/project-countermeasure/note.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List } from '../../http/routes/route.decorators.js';
import { ChangeAnalysisNote, CreateAnalysisNote } from './project-countermeasures.dto.js';
import { NotesService } from './notes.service.js';
import { COUNTERMEASURE } from './path-items.js';

@ApiTags('Countermeasures of projects')
@InFamily('projects')
@Controller('projects/:project/tasks/:task/analysis-notes')
export class AnalysisNotesController {
  constructor(private readonly notes: NotesService) {}

  @List(analysisNoteProjection, {
    within: COUNTERMEASURE,
    summary: 'List the verification notes of a countermeasure of a project',
  })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.notes.list(readRequest);
  }

  @Item(analysisNoteProjection, { within: COUNTERMEASURE, summary: 'Show a verification note' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.notes.get(id, readRequest);
  }

  @Create(analysisNoteProjection, { within: COUNTERMEASURE, status: 201, summary: 'Create a verification note' })
  @Access({ inProject: 'verification' })
  create(
    @Caller() actor: Actor,
    @Param() path: NotePath,
    @Body() body: CreateAnalysisNote,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.notes.createAnalysis(actor, path, body, readRequest);
  }

  @Change(analysisNoteProjection, { within: COUNTERMEASURE, summary: 'Change a verification note' })
  @Access({ inProject: 'verification' })
  update(
    @Caller() actor: Actor,
    @Param() path: NotePath,
    @Param('id') id: string,
    @Body() body: ChangeAnalysisNote,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.notes.updateAnalysis(actor, path, id, body, readRequest);
  }
}
