import { Module } from '@nestjs/common';
import { CompositeController } from './composite.controller.js';
import { CompositeService } from './composite.service.js';

@Module({ controllers: [CompositeController], providers: [CompositeService] })
export class CompositeModule {}
