import { writeWeaknesses } from '#domain/library/weakness/weakness.commands.js';
import { writeThreats } from '#domain/library/threat/threat.commands.js';
import { writeHowTos } from '#domain/library/how-to/how-to.commands.js';
import { writeCountermeasures } from '#domain/library/countermeasure/countermeasure.commands.js';
import {
  lockOrder,
  writeAdditionalRequirements,
} from '#domain/library/additional-requirement/additional-requirement.commands.js';
import { AdditionalRequirementVersion } from '#domain/library/additional-requirement/additional-requirement.entity.js';
import { CountermeasureVersion } from '#domain/library/countermeasure/countermeasure.entity.js';
import { HowToVersion } from '#domain/library/how-to/how-to.entity.js';
import { ThreatVersion } from '#domain/library/threat/threat.entity.js';
import { FRAMEWORK_FIELDS, FRAMEWORKS } from '#domain/library/threat/threat.rules.js';
import { WeaknessVersion } from '#domain/library/weakness/weakness.entity.js';
import { activeFlagError, BUILT_IN_WEAKNESS } from '#domain/library/weakness/weakness.rules.js';
import { entries, exactTexts } from './field-plan.js';
import { conditionReferences, matchConditions } from './nested-values.js';
import { customizing, type Plans } from './plan.js';

/** Fields that all of these models have. */
const fields = { match_conditions: { normal: matchConditions, refersTo: conditionReferences } };

/** Content with match conditions: weaknesses, countermeasures and their parts, threats. */
export const CONTENT_PLANS = {
  weakness: {
    write: writeWeaknesses,
    customize: customizing('weakness', WeaknessVersion),
    builtIn: BUILT_IN_WEAKNESS,
    flagError: activeFlagError,
    fields,
  },
  standard: {
    write: writeCountermeasures,
    customize: customizing('countermeasure', CountermeasureVersion),
    fields: { ...fields, categories: exactTexts, verification_coverage: exactTexts },
  },
  amendment: {
    write: writeAdditionalRequirements,
    lock: lockOrder,
    customize: customizing('additional_requirement', AdditionalRequirementVersion),
    owner: 'task',
    fields,
  },
  implementation: {
    write: writeHowTos,
    customize: customizing('how_to', HowToVersion),
    owner: 'task',
    fields,
  },
  threat: {
    write: writeThreats,
    customize: customizing('threat', ThreatVersion),
    fields: {
      ...fields,
      ...Object.fromEntries(FRAMEWORK_FIELDS.map((field) => [field, entries(FRAMEWORKS[field])])),
    },
  },
} satisfies Plans;
