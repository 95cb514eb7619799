import { on } from '../kernel/domain-events.js';
import { removeFromComponents } from './component/component.commands.js';
import { countermeasureRemoved } from './countermeasure/countermeasure.events.js';
import { libraryCountermeasuresInPhase } from './countermeasure/phase-use.js';
import { deactivateCountermeasures, moveCountermeasures } from './countermeasure/weakness-changes.js';
import { phaseUsesRequested } from './phase/phase.events.js';
import { moveRuleMappings } from './rule-mapping/rule-mapping.commands.js';
import { releaseFromThreats } from './threat/weakness-removal.js';
import { weaknessDeactivated, weaknessRemoved } from './weakness/weakness.events.js';

/** The event subscriptions of the library. */
export const librarySubscriptions = [
  on(weaknessDeactivated, (em, actor, { identity }) => deactivateCountermeasures(em, actor, identity)),
  on(weaknessRemoved, moveCountermeasures),
  on(weaknessRemoved, releaseFromThreats),
  on(weaknessRemoved, moveRuleMappings),
  on(countermeasureRemoved, removeFromComponents),
  on(phaseUsesRequested, libraryCountermeasuresInPhase),
];
