import { Module } from '@nestjs/common';
import { ExportsController } from './exports/exports.controller.js';
import { ExportsService } from './exports/exports.service.js';
import { ImportsController } from './imports/imports.controller.js';
import { ImportsService } from './imports/imports.service.js';
import { IncomingUploads } from './imports/incoming-uploads.js';

/** Jobs that export and import the library. */
@Module({
  controllers: [ExportsController, ImportsController],
  providers: [ExportsService, ImportsService, IncomingUploads],
})
export class ExchangeModule {}
