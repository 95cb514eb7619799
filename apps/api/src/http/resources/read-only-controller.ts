import { applyDecorators, Controller, Param, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Family } from '#domain/kernel/token-scopes.js';
import type { Projection } from '#query/projection.js';
import { Access } from '../access/access.decorator.js';
import { InFamily } from '../access/family.decorator.js';
import { ReadRequest } from '../listing/read-request.js';
import { Item, List, type PathItem } from '../routes/route.decorators.js';
import { ResourceService } from './resource.service.js';

/** Names a generated class: logs, errors and operation ids use class names. */
function withClassName<Class extends Type>(type: Class, name: string): Class {
  return Object.defineProperty(type, 'name', { value: name });
}

interface ReadOnlyResource {
  /** Prefix of the name of the controller, and of operation ids: `Cwes` → `cwes_list`. */
  readonly name: string;
  readonly path: string;
  readonly tag: string;
  readonly family: Family;
  readonly projection: Projection;
  /** Items in the path before the resource's own, outermost first. */
  readonly within?: readonly PathItem[];
  /** Summaries of the routes: without a summary for `item`, there is no route for a single item. */
  readonly summaries: { readonly list: string; readonly item?: string };
}

/** The controller of a resource that everyone in the organization can read and no one can write. */
export function readOnlyController(resource: ReadOnlyResource): Type {
  const { name, path, tag, family, projection, within: parents, summaries } = resource;
  const itemRoute =
    summaries.item === undefined
      ? applyDecorators()
      : applyDecorators(Item(projection, { within: parents, summary: summaries.item }), Access());

  @ApiTags(tag)
  @InFamily(family)
  @Controller(path)
  class ReadOnlyController {
    constructor(private readonly service: ResourceService) {}

    @List(projection, { within: parents, summary: summaries.list })
    @Access()
    list(@ReadRequest() readRequest: ReadRequest) {
      return this.service.list(readRequest);
    }

    @itemRoute
    get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
      return this.service.get(id, readRequest);
    }
  }

  return withClassName(ReadOnlyController, `${name}Controller`);
}
