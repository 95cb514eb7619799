import { Module } from '@nestjs/common';
import { CapecsController } from './capecs.controller.js';

@Module({ controllers: [CapecsController] })
export class CapecsModule {}
