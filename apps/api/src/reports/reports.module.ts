import { Module } from '@nestjs/common';
import { QueriesController } from './queries/queries.controller.js';
import { QueriesService } from './queries/queries.service.js';
import { QueryRunsController } from './queries/query-runs.controller.js';
import { QueryRunsService } from './queries/query-runs.service.js';
import { AuthTokenController } from './reports/auth-token.controller.js';
import { CubeController } from './reports/cube.controller.js';
import { ReportsService } from './reports/reports.service.js';

/** Stored reports, and the queries that they run. */
@Module({
  controllers: [
    // An id could match the path of the templates, so the more specific controller must come first.
    QueryRunsController,
    QueriesController,
    AuthTokenController,
    CubeController,
  ],
  providers: [QueriesService, QueryRunsService, ReportsService],
})
export class ReportsModule {}
