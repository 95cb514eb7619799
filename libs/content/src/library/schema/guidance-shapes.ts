import { MAX_BUILT_IN_NUMBER } from '#domain/kernel/item-id.js';
import { MAX_RULE_MAPPING_TEXT } from '#domain/library/rule-mapping/rule-mapping.rules.js';
import { CONTENT_TYPES, PROMPT_TYPES } from '#domain/library/workflow-prompt/workflow-prompt.rules.js';
import { MAX_TEXT_LENGTH } from '#domain/kernel/fields/field-checks.js';
import { itemId, name, title } from './item-shapes.js';
import { boolean, integer, line, list, markdown, object, oneOf, type TypeOf } from './shape.js';

/** A glossary term in its file. */
export const glossaryTerm = object({ id: itemId('glossary_term'), term: name, definition: line(1000) });

/** A profile in its file. */
export const profile = object({
  id: itemId('profile'),
  name,
  description: title,
  default: boolean,
  icon: name,
  answers: list(itemId('survey_answer'), { distinct: true }),
});

/** A workflow prompt with its contexts in its file. */
export const workflowPrompt = object({
  id: integer(1, MAX_BUILT_IN_NUMBER),
  title,
  type: oneOf(PROMPT_TYPES),
  variables: list(name, { distinct: true }),
  prompt: markdown(MAX_TEXT_LENGTH),
  contexts: list(
    object({
      id: integer(1, MAX_BUILT_IN_NUMBER),
      name: title,
      content_type: oneOf(CONTENT_TYPES),
      text: markdown(MAX_TEXT_LENGTH),
    }),
  ),
});

/** A mapping of a scanner's rules to a CWE in its file. */
export const ruleMapping = object({
  id: itemId('rule_mapping'),
  system: line(MAX_RULE_MAPPING_TEXT),
  rule_pattern: line(MAX_RULE_MAPPING_TEXT),
  cwe: integer(1, 999_999),
});

export type GlossaryTerm = TypeOf<typeof glossaryTerm>;
export type RuleMapping = TypeOf<typeof ruleMapping>;
export type Profile = TypeOf<typeof profile>;
export type WorkflowPrompt = TypeOf<typeof workflowPrompt>;
