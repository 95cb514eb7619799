import * as schema from '#query/schema.js';

/** Schema of the result of a connection test. */
export const TEST_RESPONSE = schema.object({
  success: schema.boolean({ example: true }),
  error: schema.nullable(schema.string({ description: 'What the tool or the network reported.', example: null })),
});
