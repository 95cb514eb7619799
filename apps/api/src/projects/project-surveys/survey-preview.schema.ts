import * as schema from '#query/schema.js';
import { PRIORITY } from '#domain/library/countermeasure/countermeasure.rules.js';

const addedAndRemoved = (entry: schema.Schema, added: string, removed: string): schema.Schema =>
  schema.object({
    added: schema.list(entry, { description: added }),
    removed: schema.list(entry, { description: removed }),
  });

const countermeasure = schema.object(
  {
    id: schema.string({ example: '1-T21' }),
    title: schema.string(),
    priority: schema.integer(PRIORITY),
    reason: schema.string({
      description: 'Why it would be in the project, or what would keep it out.',
      example: 'Applies because "PostgreSQL" (A64) was answered to "Which databases does it use?".',
    }),
  },
  { title: 'PreviewedCountermeasure' },
);

const item = (title: string, example: string): schema.Schema =>
  schema.object({ id: schema.string({ example }), title: schema.string() }, { title });

const question = schema.object(
  { id: schema.string({ example: 'Q4' }), text: schema.string() },
  { title: 'PreviewedQuestion' },
);

/** What saving a draft would change, compared with the project as it is now. */
export const PREVIEW = schema.object({
  countermeasures: addedAndRemoved(
    countermeasure,
    'Countermeasures that would become relevant, the most urgent ones first.',
    'Countermeasures that would no longer be relevant, the most urgent ones first.',
  ),
  weaknesses: addedAndRemoved(
    item('PreviewedWeakness', 'P4'),
    'Weaknesses that the project would get.',
    'Weaknesses that it would lose.',
  ),
  threats: addedAndRemoved(
    item('PreviewedThreat', '1-TH4'),
    'Threats that the project would get.',
    'Threats that it would lose.',
  ),
  questions: schema.object({
    shown: schema.list(question, { description: 'Questions that would open.' }),
    hidden: schema.list(question, { description: 'Questions that would close.' }),
  }),
});
