import { domainEvent } from '../../kernel/domain-events.js';

/** A deleted group, as subscribers need it. */
export interface RemovedGroup {
  readonly id: number;
  /** Its public id. */
  readonly itemId: string;
  readonly name: string;
}

/** A group is about to be deleted. */
export const groupRemoved = domainEvent<RemovedGroup>('group removed');
