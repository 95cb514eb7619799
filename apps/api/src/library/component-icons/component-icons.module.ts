import { Module } from '@nestjs/common';
import { ComponentIconsController } from './component-icons.controller.js';
import { PicturesController } from './pictures.controller.js';
import { PicturesService } from './pictures.service.js';

@Module({ controllers: [ComponentIconsController, PicturesController], providers: [PicturesService] })
export class ComponentIconsModule {}
