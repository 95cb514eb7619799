import { Module } from '@nestjs/common';
import { regulationSectionProjection } from '#domain/library/regulation/regulation-section.projection.js';
import { regulationProjection } from '#domain/library/regulation/regulation.projection.js';
import { readOnlyController } from '../../http/resources/read-only-module.js';
import { ResourceService } from '../../http/resources/resource.service.js';

const RegulationsController = readOnlyController({
  name: 'Regulations',
  path: 'library/regulations',
  tag: 'Regulations',
  family: 'library',
  projection: regulationProjection,
  summaries: { list: 'List regulations', item: 'Show a regulation' },
});

const RegulationSectionsController = readOnlyController({
  name: 'RegulationSections',
  path: 'library/regulations/:regulation/sections',
  tag: 'Regulations',
  family: 'library',
  projection: regulationSectionProjection,
  within: [{ parameter: 'regulation', projection: regulationProjection }],
  summaries: { list: 'List the sections of a regulation', item: 'Show a section of a regulation' },
});

@Module({ controllers: [RegulationsController, RegulationSectionsController], providers: [ResourceService] })
export class RegulationsModule {}
