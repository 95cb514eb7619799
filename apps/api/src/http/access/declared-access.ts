import { Injectable, type OnModuleInit, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { AccessMetadata } from './access.decorator.js';
import { declaredFamily, scopeFor } from './family.decorator.js';

/**
 * Checks at startup that every route declares `@Access` or `@Public`, and every route that accepts tokens `@InFamily`.
 */
@Injectable()
export class DeclaredAccess implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const errors = this.discovery.getControllers().flatMap(({ metatype }) => {
      if (!metatype) return [];
      const prototype = metatype.prototype as Record<string, () => unknown>;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name];
        // A method without metadata is not a route; Nest's own metadata keys are private.
        if (!handler || !Reflect.getMetadataKeys(handler).length) return [];
        const required = this.reflector.getAllAndOverride(AccessMetadata, [handler, metatype]);
        const route = `${metatype.name}.${name}`;
        if (required === undefined) return [`${route} has neither @Access nor @Public`];
        if (required === null || required.session || required.fromOwnPages) return [];
        const declared = declaredFamily(this.reflector, handler, metatype);
        if (!declared) return [`${route} has no @InFamily`];
        const { family, onlyReads } = declared;
        const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
        if (family === null || scopeFor(family, method, onlyReads)) return [];
        return [`${route} writes, but the family "${family}" has no scope for that`];
      });
    });
    if (errors.length) throw new Error(`The access of routes is not declared: ${errors.join('; ')}.`);
  }
}
