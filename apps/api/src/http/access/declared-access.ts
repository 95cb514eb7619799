import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { AccessMetadata } from './access.decorator.js';

/** Checks at startup that every route declares `@Access` or `@Public`. */
@Injectable()
export class DeclaredAccess implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const undeclaredRoutes = this.discovery.getControllers().flatMap(({ metatype }) => {
      if (!metatype) return [];
      const prototype = metatype.prototype as Record<string, () => unknown>;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name];
        // A method without metadata is not a route; Nest's own metadata keys are private.
        if (!handler || !Reflect.getMetadataKeys(handler).length) return [];
        const required = this.reflector.getAllAndOverride(AccessMetadata, [handler, metatype]);
        return required === undefined ? [`${metatype.name}.${name}`] : [];
      });
    });
    if (undeclaredRoutes.length) throw new Error(`Routes without @Access or @Public: ${undeclaredRoutes.join(', ')}.`);
  }
}
