import { Module } from '@nestjs/common';
import { ImportsController } from './imports.controller.js';
import { IncomingUploads } from './incoming-uploads.js';
import { ImportsService } from './imports.service.js';

@Module({ controllers: [ImportsController], providers: [ImportsService, IncomingUploads] })
export class ImportsModule {}
