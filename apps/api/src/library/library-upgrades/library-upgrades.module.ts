import { Module } from '@nestjs/common';
import { LibraryUpgradesController } from './library-upgrades.controller.js';
import { LibraryUpgradesService } from './library-upgrades.service.js';

@Module({ controllers: [LibraryUpgradesController], providers: [LibraryUpgradesService] })
export class LibraryUpgradesModule {}
