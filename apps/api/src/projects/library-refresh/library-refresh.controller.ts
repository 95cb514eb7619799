import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { libraryRefreshProjection } from '#domain/projects/project-content/library-refresh.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import { Item } from '../../http/routes/route.decorators.js';

@ApiTags('Library upgrades')
@InFamily('library')
@Controller('library/refresh-status')
export class LibraryRefreshController {
  constructor(private readonly refresh: ResourceService) {}

  @Item(libraryRefreshProjection, {
    path: '',
    summary: 'Show how far projects follow the latest changes of the library',
  })
  @Access()
  get(@ReadRequest() readRequest: ReadRequest) {
    return this.refresh.get(String(readRequest.scope.organizationId), readRequest);
  }
}
