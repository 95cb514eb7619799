import { Body, Controller } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { MAX_PREFERENCES_BYTES } from '#domain/access/preferences/preferences.commands.js';
import type { Actor } from '#domain/kernel/actor.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { BodyContent } from '../../http/media/body-content.js';
import { Caller } from '../../http/request.js';
import { Action } from '../../http/routes/route.decorators.js';
import { PreferencesService } from './preferences.service.js';

const PREFERENCES = {
  type: 'object',
  additionalProperties: true,
  example: { theme: 'dark', columns: ['title', 'status'] },
};

@ApiTags('Saved views and preferences')
@InFamily(null)
@Controller('users/me/preferences')
export class PreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  @Action({
    method: 'GET',
    status: 200,
    responseSchema: PREFERENCES,
    success: 'All preferences of the caller.',
    summary: "Show the caller's preferences",
  })
  @Access()
  get(@Caller() actor: Actor) {
    return this.preferences.get(actor);
  }

  @Action({
    method: 'PATCH',
    status: 200,
    responseSchema: PREFERENCES,
    success: 'All preferences of the caller after the change.',
    summary: "Change the caller's preferences",
  })
  @ApiBody({
    schema: {
      ...PREFERENCES,
      description: `Values to store by name; null removes one. Together at most ${MAX_PREFERENCES_BYTES} bytes.`,
    },
  })
  @Access()
  update(@Caller() actor: Actor, @Body() body: BodyContent) {
    return this.preferences.update(actor, body.object());
  }
}
