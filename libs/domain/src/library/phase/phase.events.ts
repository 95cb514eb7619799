import { domainEvent } from '../../kernel/domain-events.js';

/** Items of a kind that use a phase. */
export interface PhaseUse {
  /** The kind in messages, in the singular. */
  readonly words: string;
  /** Ids or names of the items, in order. */
  readonly ids: readonly string[];
}

/** A custom phase that is about to be deleted. */
export interface RemovedPhase {
  readonly identity: number;
  /** Its public id, such as `CX2`. */
  readonly id: string;
}

/** A custom phase is about to be deleted. Each subscriber returns what uses it in the actor's organization. */
export const phaseUsesRequested = domainEvent<RemovedPhase, PhaseUse>('phase uses requested');
