import { z } from 'zod';

import { moment, optionalText } from '../shapes.js';
import type { AdfNode } from './adf.js';

const named = z.object({ name: z.string() });

const adfNode: z.ZodType<AdfNode> = z.lazy(() =>
  z.object({
    type: z.string(),
    text: z.string().optional(),
    content: z.array(adfNode).optional(),
    marks: z.array(z.object({ type: z.string(), attrs: z.record(z.string(), z.unknown()).optional() })).optional(),
    attrs: z.record(z.string(), z.unknown()).optional(),
  }),
);

/** The fields of an issue that are used. */
export const ISSUE_FIELDS = ['summary', 'description', 'status', 'priority', 'labels', 'updated', 'project'];

export const issueShape = z.object({
  id: z.string(),
  key: z.string(),
  fields: z.object({
    summary: z.string(),
    description: z.union([adfNode, optionalText]),
    status: named,
    priority: named.nullish(),
    labels: z.array(z.string()),
    updated: moment,
    project: z.object({ id: z.string(), key: z.string() }),
  }),
});
export type JiraIssue = z.output<typeof issueShape>;

/** A page of a search: Cloud continues with a token, Data Center counts. */
export const searchShape = z.object({
  issues: z.array(issueShape),
  nextPageToken: z.string().nullish(),
  maxResults: z.int().optional(),
});

const typeShape = z.object({ id: z.string(), name: z.string() });

/** Types of issues: Data Center calls them `values`. */
export const typesShape = z
  .object({ issueTypes: z.array(typeShape).optional(), values: z.array(typeShape).optional() })
  .transform(({ issueTypes, values }) => issueTypes ?? values ?? []);

const field = z.object({
  fieldId: z.string(),
  name: z.string(),
  required: z.boolean(),
  hasDefaultValue: z.boolean().default(false),
  schema: z.object({ type: z.string(), items: z.string().optional() }),
  allowedValues: z.array(z.object({ value: z.string().optional(), name: z.string().optional() })).optional(),
});
export type JiraField = z.output<typeof field>;

/** Fields of a type: Data Center calls them `values`. */
export const fieldsShape = z
  .object({ fields: z.array(field).optional(), values: z.array(field).optional() })
  .transform(({ fields, values }) => fields ?? values ?? []);

/** Statuses by type of issue. */
export const statusesShape = z.array(z.object({ name: z.string(), statuses: z.array(named) }));

export const transitionsShape = z.object({
  transitions: z.array(
    z.object({
      id: z.string(),
      to: named,
      fields: z
        .record(
          z.string(),
          z.object({ name: z.string(), required: z.boolean(), hasDefaultValue: z.boolean().default(false) }),
        )
        .default({}),
    }),
  ),
});
