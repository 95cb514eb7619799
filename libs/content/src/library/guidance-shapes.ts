import { LETTERS } from '#domain/item-id.js';
import { CONTENT_TYPES, LARGEST_SHIPPED_NUMBER, PROMPT_TYPES } from '#domain/workflow-prompt/workflow-prompt.rules.js';
import { boolean, integer, line, list, markdown, matching, object, oneOf, type TypeOf } from './shape.js';

const itemId = (kind: 'glossary_term' | 'profile' | 'survey_answer') =>
  matching(new RegExp(`^${LETTERS[kind]}[1-9]\\d{0,8}$`), `an id such as ${LETTERS[kind]}12`);
const title = line(500);
const name = line(100);

/** A term of the glossary as it stands in its file. */
export const glossaryTerm = object({ id: itemId('glossary_term'), term: name, definition: line(1000) });

/** A profile as it stands in its file. */
export const profile = object({
  id: itemId('profile'),
  name,
  description: title,
  default: boolean,
  icon: name,
  answers: list(itemId('survey_answer'), { distinct: true }),
});

/** A workflow prompt with its contexts as it stands in its file. */
export const workflowPrompt = object({
  id: integer(1, LARGEST_SHIPPED_NUMBER),
  title,
  type: oneOf(PROMPT_TYPES),
  variables: list(name, { distinct: true }),
  prompt: markdown(100_000),
  contexts: list(
    object({
      id: integer(1, LARGEST_SHIPPED_NUMBER),
      name: title,
      content_type: oneOf(CONTENT_TYPES),
      text: markdown(100_000),
    }),
  ),
});

export type GlossaryTerm = TypeOf<typeof glossaryTerm>;
export type Profile = TypeOf<typeof profile>;
export type WorkflowPrompt = TypeOf<typeof workflowPrompt>;
