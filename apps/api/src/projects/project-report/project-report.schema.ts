import { userReferenceSchema } from '#domain/access/user/user-reference.js';
import { PRIORITY } from '#domain/library/countermeasure/countermeasure.rules.js';
import { REPORT_LIMITS } from '#domain/projects/project-report/project-report.js';
import {
  VERIFICATION_STATUSES,
  VERIFICATIONS,
} from '#domain/projects/project-countermeasure/project-countermeasure.rules.js';
import { TASK_STATUSES } from '#domain/projects/task-status/task-status.rules.js';
import * as schema from '#query/schema.js';

const named = schema.object({ id: schema.integer({ example: 1 }), name: schema.string({ example: 'Web shop' }) });

const withText = (id: string): schema.Schema =>
  schema.object({ id: schema.string({ example: id }), text: schema.string() });

const note = schema.object({
  text: schema.string({ description: 'CommonMark.' }),
  author: schema.nullable({ ...userReferenceSchema, description: 'Null if the service wrote it.' }),
  created: schema.timestamp(),
});

const evidence = schema.object({
  status: schema.string({ enum: VERIFICATIONS }),
  system: schema.string({ description: 'The tool whose report it is from; empty for people and clients.' }),
  findings: schema.list(
    schema.object({ desc: schema.string({ example: 'SQL injection' }), count: schema.integer({ example: 2 }) }),
    { description: `The first ${REPORT_LIMITS.findings} findings.` },
  ),
  finding_ref: schema.string({ description: 'Where the findings can be seen.' }),
  created: schema.timestamp(),
});

const countermeasure = schema.object({
  id: schema.string({ example: '1-T21' }),
  title: schema.string(),
  priority: schema.integer(PRIORITY),
  phase: schema.string({ description: 'The name of the phase in which it is due.' }),
  status: schema.object({ id: schema.string({ enum: TASK_STATUSES }), name: schema.string({ example: 'Complete' }) }),
  verification_status: schema.string({ enum: VERIFICATION_STATUSES }),
  assigned_to: schema.list(userReferenceSchema),
  notes: schema.list(note, { description: 'Newest first.' }),
  evidence: schema.list(evidence, { description: 'The results of analyses, newest first.' }),
});

/** The schema of a project's report as JSON. */
export const PROJECT_REPORT = schema.object({
  generated_at: schema.timestamp({ description: 'The time of this request.' }),
  project: schema.object({
    id: schema.integer({ example: 1 }),
    name: schema.string({ example: 'Web shop 2.0' }),
    description: schema.string(),
    application: named,
    business_unit: named,
    survey_complete: schema.boolean(),
    risk_policy_compliant: schema.nullable(
      schema.boolean({ description: 'Whether it meets its risk policy; null until the survey is complete.' }),
    ),
  }),
  counts: schema.object(
    {
      relevant: schema.integer(),
      complete: schema.integer(),
      not_applicable: schema.integer(),
      open: schema.integer(),
    },
    { description: 'All accepted countermeasures that are relevant.' },
  ),
  answers: schema.list(schema.object({ question: withText('Q4'), answers: schema.list(withText('A12')) }), {
    description: 'The saved answers, by question, in the order of the survey.',
  }),
  countermeasures: schema.list(countermeasure, { description: 'The most urgent ones first.' }),
  coverage: schema.list(
    schema.object({
      regulation: schema.object({
        id: schema.string({ example: 'R1' }),
        name: schema.string({ example: 'OWASP ASVS' }),
        version: schema.string({ example: '5.0' }),
      }),
      sections: schema.integer({ description: 'How many active sections the regulation has.' }),
      addressed: schema.integer({ description: 'Sections with accepted countermeasures in the project.' }),
      complete: schema.integer({ description: 'Sections whose countermeasures in the project are all complete.' }),
    }),
    { description: 'The regulations that countermeasures of the project are mapped to.' },
  ),
  omitted: schema.object(
    { countermeasures: schema.integer(), notes: schema.integer(), evidence: schema.integer() },
    { description: 'How many were left out because the report would be too long. The oldest notes are left out.' },
  ),
});
