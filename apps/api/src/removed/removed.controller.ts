import { All, Controller } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Access } from '../http/access/access.decorator.js';
import { ErrorResponse } from '../http/errors/error-response.js';

const gone = (successor: string): ErrorResponse =>
  new ErrorResponse(410, `This endpoint was removed. Use /api/v2/${successor}/ instead.`);

/** Endpoints of earlier releases of the API, and all below them: each names its successor. */
@ApiExcludeController()
@Access()
@Controller()
export class RemovedController {
  @All(['library/jobs/export', 'library/jobs/export/*rest'])
  exportJobs(): never {
    throw gone('library/export');
  }

  @All(['library/jobs/import', 'library/jobs/import/*rest'])
  importJobs(): never {
    throw gone('library/import');
  }

  @All(['activities', 'activities/*rest'])
  activities(): never {
    throw gone('activity-stream');
  }

  @All(['users/me/activities', 'users/me/activities/*rest'])
  ownActivities(): never {
    throw gone('users/me/activity-stream');
  }

  @All(['projects/:project/activities', 'projects/:project/activities/*rest'])
  projectActivities(): never {
    throw gone('projects/{id}/activity-stream');
  }
}
