import { Module } from '@nestjs/common';
import { QueriesController } from './queries.controller.js';
import { QueriesService } from './queries.service.js';
import { QueryRunsController } from './query-runs.controller.js';
import { QueryRunsService } from './query-runs.service.js';

@Module({
  // Templates have a path that an id could have as well: the more exact controller comes first.
  controllers: [QueryRunsController, QueriesController],
  providers: [QueriesService, QueryRunsService],
})
export class QueriesModule {}
