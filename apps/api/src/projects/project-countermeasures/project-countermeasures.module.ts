import { Module } from '@nestjs/common';
import { AnalysisNotesController } from './analysis-notes.controller.js';
import { CountermeasureListsController } from './countermeasure-lists.controller.js';
import { NotesController } from './notes.controller.js';
import { NotesService } from './notes.service.js';
import { ProjectCountermeasuresController } from './project-countermeasures.controller.js';
import { ProjectCountermeasuresService } from './project-countermeasures.service.js';

@Module({
  controllers: [
    AnalysisNotesController,
    CountermeasureListsController,
    NotesController,
    ProjectCountermeasuresController,
  ],
  providers: [NotesService, ProjectCountermeasuresService],
})
export class ProjectCountermeasuresModule {}
