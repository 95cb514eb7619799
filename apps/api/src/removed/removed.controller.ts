import { All, Controller, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Access } from '../http/access/access.decorator.js';
import { InFamily } from '../http/access/family.decorator.js';
import { ErrorResponse } from '../http/errors/error-response.js';
import type { ApiRequest } from '../http/request.js';
import { REMOVED, removedMessage } from './removed-paths.js';

const PATTERNS = REMOVED.map(({ path }) => path.replace(/\{(\w+)\}/g, ':$1'));

/** Endpoints of earlier releases of the API, and all paths below them. The response names the successor. */
@ApiExcludeController()
@Access()
@InFamily(null)
@Controller()
export class RemovedController {
  @All(PATTERNS.flatMap((path) => [path, `${path}/*rest`]))
  gone(@Req() { path }: ApiRequest): never {
    const removed = REMOVED.find(({ matches }) => matches.test(path));
    if (!removed) throw new Error('The path of this route is missing from the table of removed paths.');
    throw new ErrorResponse(410, removedMessage(removed));
  }
}
