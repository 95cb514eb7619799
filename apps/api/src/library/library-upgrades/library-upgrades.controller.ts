import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { libraryUpgradeProjection } from '#domain/library/library-upgrade/library-upgrade.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Item, List } from '../../http/routes/route.decorators.js';
import { ResolveUpgrade } from './library-upgrades.dto.js';
import { LibraryUpgradesService } from './library-upgrades.service.js';

@ApiTags('Library upgrades')
@InFamily('library')
@Controller('library/upgrades')
export class LibraryUpgradesController {
  constructor(private readonly upgrades: LibraryUpgradesService) {}

  @List(libraryUpgradeProjection, { summary: 'List the changes from releases of the starter library' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.upgrades.list(readRequest);
  }

  @Item(libraryUpgradeProjection, { summary: 'Show a change from a release of the starter library' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.upgrades.get(id, readRequest);
  }

  @Change(libraryUpgradeProjection, {
    action: true,
    summary: 'Resolve a conflict: a field changed by both a release and the organization',
  })
  @Access({ permission: 'customize_content' })
  resolve(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ResolveUpgrade,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.upgrades.resolve(actor, id, body, readRequest);
  }
}
