import { Module } from '@nestjs/common';
import { componentIconProjection } from '#domain/library/component/component-icon.projection.js';
import { readOnlyController } from '../../http/resources/read-only-module.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import { PicturesController } from './pictures.controller.js';
import { PicturesService } from './pictures.service.js';

const ComponentIconsController = readOnlyController({
  name: 'ComponentIcons',
  path: 'library/component-icons',
  tag: 'Components',
  family: 'library',
  projection: componentIconProjection,
  summaries: { list: 'List the icons that components can have' },
});

@Module({ controllers: [ComponentIconsController, PicturesController], providers: [PicturesService, ResourceService] })
export class ComponentIconsModule {}
