import { domainEvent } from '../../kernel/domain-events.js';

/** A custom countermeasure that is about to be deleted. */
export interface RemovedCountermeasure {
  readonly identity: number;
  /** Its public id, such as `CT2`. */
  readonly id: string;
  readonly title: string;
}

/** A custom countermeasure is about to be deleted. */
export const countermeasureRemoved = domainEvent<RemovedCountermeasure>('countermeasure removed');
