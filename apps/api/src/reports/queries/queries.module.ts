import { Module } from '@nestjs/common';
import { QueriesController } from './queries.controller.js';
import { QueriesService } from './queries.service.js';
import { QueryRunsController } from './query-runs.controller.js';
import { QueryRunsService } from './query-runs.service.js';

@Module({
  // An id could match the path of the templates, so the more specific controller must come first.
  controllers: [QueryRunsController, QueriesController],
  providers: [QueriesService, QueryRunsService],
})
export class QueriesModule {}
