import * as schema from '#query/schema.js';

/** Schema of the result of the test of a connection. */
export const CONNECTION_TEST = schema.object({
  success: schema.boolean({ description: 'Whether issues can be created.', example: false }),
  error: schema.nullable(
    schema.string({ description: 'What the tracker or the network reported; null if it showed the project.' }),
  ),
  missing_fields: schema.list(
    schema.object({
      name: schema.string({ description: 'Its name in `fields`.', example: 'customfield_10010' }),
      title: schema.string({ description: 'Its name in the tracker.', example: 'Severity' }),
      values: schema.nullable(
        schema.list(schema.string(), { description: 'The allowed values; null if any text is allowed.' }),
      ),
    }),
    { description: 'Required fields of new issues that have no value.' },
  ),
  problems: schema.list(schema.string(), { description: 'What else does not fit the project of the tracker.' }),
  issue: schema.nullable(schema.string({ description: 'Where the issue is that was created; null if none was.' })),
});

const entries = (description: string): schema.Schema =>
  schema.list(
    schema.object({
      task: schema.nullable(
        schema.string({ description: 'The countermeasure; null if it was deleted.', example: '1-T21' }),
      ),
      title: schema.string({ description: 'Its title.' }),
      issue: schema.nullable(
        schema.string({ description: 'The issue; null if there is none yet.', example: 'SHOP-12' }),
      ),
      fields: {
        type: 'object',
        additionalProperties: schema.string(),
        description:
          'What would be written: `title`, `text` (its beginning), `priority` and `status` of the issue; ' +
          '`task_status` of the countermeasure.',
        example: { status: 'Closed' },
      },
    }),
    { description },
  );

/** Schema of a preview. */
export const PREVIEW = schema.object({
  create: entries('Countermeasures that would get an issue.'),
  change: entries('Issues and countermeasures that would change.'),
  close: entries('Issues that would be closed, because their countermeasure is no longer in scope.'),
  conflict: entries('Statuses that both sides have changed, with what the conflict policy would write.'),
});
