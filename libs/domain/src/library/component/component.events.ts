import { domainEvent } from '../../kernel/domain-events.js';

/** A custom component that is about to be deleted. */
export interface RemovedComponent {
  readonly identity: number;
  /** Its public id. */
  readonly id: string;
  readonly title: string;
}

/** A custom component is about to be deleted. */
export const componentRemoved = domainEvent<RemovedComponent>('component removed');
