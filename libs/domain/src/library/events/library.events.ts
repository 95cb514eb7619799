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

/** A custom countermeasure that is about to be deleted. */
export interface RemovedCountermeasure {
  readonly identity: number;
  /** Its public id, such as `CT2`. */
  readonly id: string;
  readonly title: string;
}

/** A custom countermeasure is about to be deleted. */
export const countermeasureRemoved = domainEvent<RemovedCountermeasure>('countermeasure removed');

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

/** A custom weakness that is about to be deleted. */
export interface RemovedWeakness {
  readonly identity: number;
  /** Internal id of the weakness that replaces it, if the request names one. */
  readonly successor?: number;
}

/** A weakness was deactivated in the organization's library. */
export const weaknessDeactivated = domainEvent<{ readonly identity: number }>('weakness deactivated');

/** A custom weakness is about to be deleted. Handlers throw `Invalid` to prevent that. */
export const weaknessRemoved = domainEvent<RemovedWeakness>('weakness removed');
