import { on } from '../kernel/domain-events.js';
import { removeFromComponents } from './component/component.commands.js';
import {
  countermeasureRemoved,
  phaseUsesRequested,
  weaknessDeactivated,
  weaknessRemoved,
} from './events/library.events.js';
import { libraryCountermeasuresInPhase } from './countermeasure/phase-use.js';
import { deactivateCountermeasures, moveCountermeasures } from './countermeasure/weakness-changes.js';
import { moveRuleMappings } from './rule-mapping/rule-mapping.commands.js';
import { releaseFromThreats } from './threat/weakness-removal.js';

/** The event subscriptions of the library. */
export const librarySubscriptions = [
  on(weaknessDeactivated, (em, actor, { identity }) => deactivateCountermeasures(em, actor, identity)),
  on(weaknessRemoved, moveCountermeasures),
  on(weaknessRemoved, releaseFromThreats),
  on(weaknessRemoved, moveRuleMappings),
  on(countermeasureRemoved, removeFromComponents),
  on(phaseUsesRequested, libraryCountermeasuresInPhase),
];
