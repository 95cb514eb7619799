import * as schema from '#query/schema.js';

/** What a test of a connection answers. */
export const TEST_ANSWER = schema.object({
  success: schema.boolean({ example: true }),
  error: schema.nullable(schema.string({ description: 'What the tool or the network reported.', example: null })),
});
