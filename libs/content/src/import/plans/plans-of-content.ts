import { AdditionalRequirementVersion } from '#domain/library/additional-requirement/additional-requirement.entity.js';
import { CountermeasureVersion } from '#domain/library/countermeasure/countermeasure.entity.js';
import { cleanTexts } from '#domain/kernel/field-checks.js';
import { HowToVersion } from '#domain/library/how-to/how-to.entity.js';
import { checkDay, checkReferences } from '#domain/library/item-reference/item-reference.rules.js';
import { ThreatVersion } from '#domain/library/threat/threat.entity.js';
import { FRAMEWORK_FIELDS, FRAMEWORKS } from '#domain/library/threat/threat.rules.js';
import { WeaknessVersion } from '#domain/library/weakness/weakness.entity.js';
import { FIXED_CWES } from '#domain/library/weakness/weakness.rules.js';
import { checked, relatedTables, entries, line, many, numbers, one, plain, texts } from './field-plan.js';
import { active, activeField, conditions, longText, ordinal, type Plans, version } from './plan.js';
import { textOf } from '../formats/text-of.js';

/** What an item rests on. */
const provenance = {
  references: checked(texts('references', cleanTexts), checkReferences),
  reviewed_at: checked(plain('reviewed_at', 'date', null), checkDay),
};

/** What can be wrong, and what is done about it: content with match conditions. */
export const CONTENT_PLANS = {
  weakness: {
    kind: 'weakness',
    subject: 'weakness',
    title: 'title',
    switch: active,
    version: version(WeaknessVersion),
    fixed: { cwe: FIXED_CWES },
    fields: {
      title: line('title'),
      text: longText,
      risk_rating: plain('risk_rating', 'integer'),
      cwe: numbers('cwes', 'cwe'),
      active: activeField,
      category: line('category', ''),
      ...provenance,
      match_conditions: conditions,
    },
  },
  standard: {
    kind: 'countermeasure',
    subject: 'countermeasure',
    title: 'title',
    switch: active,
    version: version(CountermeasureVersion),
    fields: {
      title: line('title'),
      text: longText,
      problem: one('weakness_id', 'weakness'),
      priority: plain('priority', 'integer'),
      phase: one('phase_id', 'phase'),
      active: activeField,
      tags: texts('tags', cleanTexts),
      categories: texts('categories'),
      verification_coverage: texts('verification_coverage'),
      ...provenance,
      match_conditions: conditions,
    },
  },
  amendment: {
    kind: 'additional_requirement',
    subject: 'additional_requirement',
    title: 'title',
    switch: active,
    version: version(AdditionalRequirementVersion),
    owner: 'task',
    fields: {
      title: line('title'),
      text: longText,
      ordinal,
      active: activeField,
      task: relatedTables({ refersTo: (value) => [{ target: 'countermeasure', id: textOf(value) }] }),
      ...provenance,
      match_conditions: conditions,
    },
  },
  implementation: {
    kind: 'how_to',
    subject: 'how_to',
    title: 'title',
    switch: active,
    version: version(HowToVersion),
    owner: 'task',
    fields: {
      title: line('title'),
      text: longText,
      slug: line('slug'),
      versions: line('versions', ''),
      active: activeField,
      task: relatedTables({ refersTo: (value) => [{ target: 'countermeasure', id: textOf(value) }] }),
      ...provenance,
      match_conditions: conditions,
    },
  },
  threat: {
    kind: 'threat',
    subject: 'threat',
    title: 'title',
    switch: active,
    version: version(ThreatVersion),
    fields: {
      title: line('title'),
      text: longText,
      severity: plain('severity', 'integer'),
      active: activeField,
      capecs: numbers('capecs', 'capec'),
      problems: many('problems', 'weakness'),
      ...Object.fromEntries(FRAMEWORK_FIELDS.map((field) => [field, entries(field, FRAMEWORKS[field])])),
      ...provenance,
      match_conditions: conditions,
    },
  },
} satisfies Plans;
