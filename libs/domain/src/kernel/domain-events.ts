import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from './actor.js';

/**
 * An event that higher contexts can subscribe to. The context that raises it declares it and does not know the
 * subscribers.
 */
export interface DomainEvent<Payload, Result = void> {
  readonly name: string;
  /** Never set; it only carries the types. */
  readonly types?: (payload: Payload) => Result;
}

type Handler<Payload, Result> = (em: EntityManager, actor: Actor, payload: Payload) => Promise<Result>;

/** A handler that runs whenever an event is raised. */
export interface Subscription {
  readonly event: DomainEvent<never, unknown>;
  readonly handler: Handler<never, unknown>;
}

const declared = new Map<string, DomainEvent<never, unknown>>();

const handlers = new Map<string, Handler<never, unknown>[]>();

/** Declares an event. Throws if the name is already used. */
export function domainEvent<Payload, Result = void>(name: string): DomainEvent<Payload, Result> {
  if (declared.has(name)) throw new Error(`There are two domain events "${name}".`);
  const event: DomainEvent<Payload, Result> = { name };
  declared.set(name, event);
  return event;
}

/** Creates an entry for a context's list of subscriptions. */
export const on = <Payload, Result>(
  event: DomainEvent<Payload, Result>,
  handler: Handler<Payload, Result>,
): Subscription => ({ event, handler });

/**
 * Connects the subscriptions of all contexts, once per process, in the order in which they are to run. Throws if an
 * event has no subscriber, because its effects would be lost.
 */
export function connectSubscriptions(subscriptions: readonly Subscription[]): void {
  handlers.clear();
  for (const { event, handler } of subscriptions)
    handlers.set(event.name, [...(handlers.get(event.name) ?? []), handler]);
  const withoutSubscriber = [...declared.keys()].filter((name) => !handlers.has(name));
  if (withoutSubscriber.length)
    throw new Error(`No one subscribes to these domain events: ${withoutSubscriber.join(', ')}.`);
}

/**
 * Runs the handlers of an event in sequence, in the caller's transaction, and returns their results. Errors of handlers
 * are passed on.
 */
export async function raise<Payload, Result>(
  em: EntityManager,
  actor: Actor,
  event: DomainEvent<Payload, Result>,
  payload: Payload,
): Promise<Result[]> {
  const subscribed = handlers.get(event.name) as Handler<Payload, Result>[] | undefined;
  if (!subscribed) throw new Error(`No one is subscribed to "${event.name}": call connectSubscriptions at startup.`);
  const results: Result[] = [];
  for (const handler of subscribed) results.push(await handler(em, actor, payload));
  return results;
}
