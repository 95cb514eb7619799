import { Module } from '@nestjs/common';
import { CwesController } from './cwes.controller.js';

@Module({ controllers: [CwesController] })
export class CwesModule {}
