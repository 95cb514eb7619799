import { Module } from '@nestjs/common';
import { searchProjection } from '#domain/search/search.projection.js';
import { readOnlyController } from '../http/resources/read-only-controller.js';
import { ResourceService } from '../http/resources/resource.service.js';

const SearchController = readOnlyController({
  name: 'Search',
  path: 'search',
  tag: 'Search',
  family: 'library',
  projection: searchProjection,
  summaries: { list: 'Search everything that you can see' },
});

@Module({ controllers: [SearchController], providers: [ResourceService] })
export class SearchModule {}
