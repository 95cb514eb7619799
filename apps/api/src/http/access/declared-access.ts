import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { REQUIRED_ACCESS } from './access.decorator.js';

/** Closed unless opened: the API does not start where a route declares neither `@Access` nor `@Public`. */
@Injectable()
export class DeclaredAccess implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const open = this.discovery.getControllers().flatMap(({ metatype }) => {
      if (!metatype) return [];
      const prototype = metatype.prototype as Record<string, () => unknown>;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name];
        // What has no decorator is no route: Nest tells them apart by names that it keeps to itself.
        if (!handler || !Reflect.getMetadataKeys(handler).length) return [];
        const required = this.reflector.getAllAndOverride<unknown>(REQUIRED_ACCESS, [handler, metatype]);
        return required === undefined ? [`${metatype.name}.${name}`] : [];
      });
    });
    if (open.length) throw new Error(`Routes without @Access or @Public: ${open.join(', ')}.`);
  }
}
