import { Injectable } from '@nestjs/common';
import { activityProjection, ownActivityProjection } from '#domain/activity/activity.projection.js';
import type { Actor } from '#domain/actor.js';
import type { JsonText } from '../../http/listing/answer.js';
import type { Asked } from '../../http/listing/asked.js';
import { Reads } from '../../http/listing/reads.service.js';

@Injectable()
export class ActivitiesService {
  constructor(private readonly reads: Reads) {}

  list(actor: Actor, asked: Asked): Promise<JsonText> {
    return this.reads.stream(activityProjection, actor, asked);
  }

  listOwn(actor: Actor, asked: Asked): Promise<JsonText> {
    return this.reads.stream(ownActivityProjection, actor, asked);
  }

  get(actor: Actor, id: string, asked: Asked): Promise<JsonText> {
    return this.reads.item(activityProjection, actor, id, asked);
  }
}
