import { Module } from '@nestjs/common';
import { ResourceService } from '../../http/resources/resource.service.js';
import { LibraryRefreshController } from './library-refresh.controller.js';

@Module({ controllers: [LibraryRefreshController], providers: [ResourceService] })
export class LibraryRefreshModule {}
