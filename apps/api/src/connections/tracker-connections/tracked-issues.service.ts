import { Injectable } from '@nestjs/common';
import { recreateIssue } from '#domain/connections/tracked-issue/tracked-issue.commands.js';
import type { Actor } from '#domain/kernel/actor.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import type { JsonText } from '../../http/listing/responses.js';
import { ResourceService } from '../../http/resources/resource.service.js';

@Injectable()
export class TrackedIssuesService extends ResourceService {
  recreate(
    actor: Actor,
    path: { readonly project: string; readonly connection: string; readonly id: string },
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(path.id, readRequest, (em) => recreateIssue(em, actor, path));
  }
}
