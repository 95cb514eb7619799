import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createScan } from '#domain/connections/scan/scan.commands.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { CreateScan } from './team-onboarding.dto.js';

@Injectable()
export class TeamOnboardingService extends ResourceService {
  createScan(actor: Actor, input: CreateScan, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createScan(em, actor, input));
  }
}
