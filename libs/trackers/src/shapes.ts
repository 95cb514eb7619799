import { z } from 'zod';

/** A point in time. Jira writes the offset without a colon, which `z.iso` does not accept. */
export const moment = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => new Date(text));

/** The body of a response without content. */
export const nothing = z.undefined();

/** A text that may be missing. */
export const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? '');
