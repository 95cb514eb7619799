import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { type Family, TOKEN_SCOPES, type TokenScope } from '#domain/kernel/token-scopes.js';

/** The family of a route; `null` for one that needs no scope. */
export const FamilyMetadata = Reflector.createDecorator<Family | null | undefined>();

const OnlyReadsMetadata = Reflector.createDecorator<boolean | undefined>();

/** Temporary extensions in the document, removed when it is finished. */
export const FAMILY = 'x-family';
export const ONLY_READS = 'x-only-reads';

/**
 * Declares what a token with scopes needs for the routes of a controller, or for one of them: `<family>:read`, or
 * `<family>:write` for other methods than GET. `null`: no scope. Without it, the API does not start.
 */
export const InFamily = (family: Family | null): MethodDecorator & ClassDecorator =>
  applyDecorators(FamilyMetadata(family), ApiExtension(FAMILY, family ?? ''));

/** Marks a POST that changes nothing, so that `<family>:read` is enough. */
export const OnlyReads = (): MethodDecorator =>
  applyDecorators(OnlyReadsMetadata(true), ApiExtension(ONLY_READS, true));

/** The scope for a method in a family; undefined if there is none, because nothing in the family can be written. */
export const scopeFor = (family: Family, method: string, onlyReads: boolean): TokenScope | undefined => {
  const reads = onlyReads || /^(?:GET|HEAD)$/i.test(method);
  return TOKEN_SCOPES.find((scope) => scope === `${family}:${reads ? 'read' : 'write'}`);
};

type Target = Parameters<Reflector['get']>[1];

/** What a route declares; undefined if it does not. */
export function declaredFamily(
  reflector: Reflector,
  route: Target,
  controller: Target,
): { readonly family: Family | null; readonly onlyReads: boolean } | undefined {
  const family = reflector.getAllAndOverride(FamilyMetadata, [route, controller]);
  return family === undefined ? undefined : { family, onlyReads: reflector.get(OnlyReadsMetadata, route) ?? false };
}
