import { Module } from '@nestjs/common';
import { GlossaryTermsController } from './glossary-terms.controller.js';

@Module({ controllers: [GlossaryTermsController] })
export class GlossaryTermsModule {}
