import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { identityProviderProjection } from '#domain/access/identity-provider/identity-provider.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeIdentityProvider, CreateIdentityProvider } from './identity-providers.dto.js';
import { IdentityProvidersService } from './identity-providers.service.js';

@ApiTags('Identity providers')
@InFamily('access')
@Access({ superUser: true })
@Controller('identity-providers')
export class IdentityProvidersController {
  constructor(private readonly providers: IdentityProvidersService) {}

  @List(identityProviderProjection, { summary: 'List the providers with which people sign in' })
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.providers.list(readRequest);
  }

  @Item(identityProviderProjection, { summary: 'Show an identity provider' })
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.providers.get(id, readRequest);
  }

  @Create(identityProviderProjection, { status: 201, summary: 'Create an identity provider' })
  create(@Caller() actor: Actor, @Body() body: CreateIdentityProvider, @ReadRequest() readRequest: ReadRequest) {
    return this.providers.create(actor, body, readRequest);
  }

  @Change(identityProviderProjection, { summary: 'Change an identity provider' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeIdentityProvider,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.providers.update(actor, id, body, readRequest);
  }

  @Remove(identityProviderProjection, { summary: 'Delete an identity provider, with what it has given people' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.providers.remove(actor, id);
  }
}
