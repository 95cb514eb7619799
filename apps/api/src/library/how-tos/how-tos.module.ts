import { Module } from '@nestjs/common';
import { HowTosController } from './how-tos.controller.js';
import { HowTosService } from './how-tos.service.js';

@Module({ controllers: [HowTosController], providers: [HowTosService] })
export class HowTosModule {}
