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
import { FIXED_CWES } from '#domain/library/weakness/weakness.rules.js';
import { entries, exactTexts } from './field-plan.js';
import { conditionReferences, matchConditions } from './nested-values.js';
import { active, type Plans, version } from './plan.js';

/** Fields that all of these models have. */
const fields = { match_conditions: { normal: matchConditions, refersTo: conditionReferences } };

/** Content with match conditions: weaknesses, countermeasures and their parts, threats. */
export const CONTENT_PLANS = {
  weakness: {
    kind: 'weakness',
    write: writeWeaknesses,
    activation: active,
    version: version(WeaknessVersion),
    immutable: { cwe: FIXED_CWES },
    fields,
  },
  standard: {
    kind: 'countermeasure',
    write: writeCountermeasures,
    activation: active,
    version: version(CountermeasureVersion),
    fields: { ...fields, categories: exactTexts, verification_coverage: exactTexts },
  },
  amendment: {
    kind: 'additional_requirement',
    write: writeAdditionalRequirements,
    lock: lockOrder,
    activation: active,
    version: version(AdditionalRequirementVersion),
    owner: 'task',
    fields,
  },
  implementation: {
    kind: 'how_to',
    write: writeHowTos,
    activation: active,
    version: version(HowToVersion),
    owner: 'task',
    fields,
  },
  threat: {
    kind: 'threat',
    write: writeThreats,
    activation: active,
    version: version(ThreatVersion),
    fields: {
      ...fields,
      ...Object.fromEntries(FRAMEWORK_FIELDS.map((field) => [field, entries(FRAMEWORKS[field])])),
    },
  },
} satisfies Plans;
