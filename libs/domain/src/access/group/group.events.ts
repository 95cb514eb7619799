import { domainEvent } from '../../kernel/domain-events.js';

/** A group, as those need it who refer to groups. */
export interface RemovedGroup {
  readonly id: number;
  /** Its public id. */
  readonly itemId: string;
  readonly name: string;
}

/** A group is about to be deleted. */
export const groupRemoved = domainEvent<RemovedGroup>('group removed');
