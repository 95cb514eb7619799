import { Module } from '@nestjs/common';
import { EventsController } from './events.controller.js';
import { EventHub } from './event-hub.service.js';

@Module({ controllers: [EventsController], providers: [EventHub] })
export class EventsModule {}
