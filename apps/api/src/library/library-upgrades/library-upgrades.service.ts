import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { resolveUpgrade } from '#domain/library/library-upgrade/library-upgrade.commands.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ResolveUpgrade } from './library-upgrades.dto.js';

@Injectable()
export class LibraryUpgradesService extends ResourceService {
  resolve(actor: Actor, id: string, { resolution }: ResolveUpgrade, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => resolveUpgrade(em, actor, id, resolution));
  }
}
