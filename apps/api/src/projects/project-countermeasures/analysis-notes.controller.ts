import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import type { NotePlace } from '#domain/projects/project-countermeasure/note.commands.js';
import { analysisNoteProjection } from '#domain/projects/project-countermeasure/note.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { type Asked, AskedFor } from '../../http/listing/asked.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List } from '../../http/routes/route.decorators.js';
import { ChangeAnalysisNote, CreateAnalysisNote } from './notes.dto.js';
import { NotesService } from './notes.service.js';
import { COUNTERMEASURE } from './path-items.js';

@ApiTags('Countermeasures of projects')
@Controller('projects/:project/tasks/:task/analysis-notes')
export class AnalysisNotesController {
  constructor(private readonly notes: NotesService) {}

  @List(analysisNoteProjection, {
    within: COUNTERMEASURE,
    summary: 'List what analysis has found of a project’s countermeasure',
  })
  @Access()
  list(@Caller() actor: Actor, @Param() place: NotePlace, @AskedFor() asked: Asked) {
    return this.notes.list(analysisNoteProjection, actor, place, asked);
  }

  @Item(analysisNoteProjection, { within: COUNTERMEASURE, summary: 'Show what an analysis has found' })
  @Access()
  get(@Caller() actor: Actor, @Param() place: NotePlace, @Param('id') id: string, @AskedFor() asked: Asked) {
    return this.notes.get(analysisNoteProjection, actor, place, id, asked);
  }

  @Create(analysisNoteProjection, { within: COUNTERMEASURE, status: 201, summary: 'Write what an analysis has found' })
  @Access({ inProject: 'verification' })
  create(
    @Caller() actor: Actor,
    @Param() place: NotePlace,
    @Body() body: CreateAnalysisNote,
    @AskedFor() asked: Asked,
  ) {
    return this.notes.createAnalysis(actor, place, body, asked);
  }

  @Change(analysisNoteProjection, { within: COUNTERMEASURE, summary: 'Change what an analysis has found' })
  @Access({ inProject: 'verification' })
  update(
    @Caller() actor: Actor,
    @Param() place: NotePlace,
    @Param('id') id: string,
    @Body() body: ChangeAnalysisNote,
    @AskedFor() asked: Asked,
  ) {
    return this.notes.updateAnalysis(actor, place, id, body, asked);
  }
}
