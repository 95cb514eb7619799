import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import type { JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';

@Injectable()
export class ProjectExplanationsService {
  constructor(private readonly reads: Reads) {}

  get(actor: Actor, project: string, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(within(actor, project), id, readRequest);
  }
}
