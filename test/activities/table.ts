import { ACCESS_WRITINGS, FIRST_SETUP } from './access.js';
import {
  CONNECTION_TESTS,
  CONNECTOR_WRITINGS,
  TRACKER_CONNECTION_WRITINGS,
  VERIFICATION_CONNECTION_WRITINGS,
} from './connectors.js';
import { JOB_WRITINGS } from './jobs.js';
import { LIBRARY_WRITINGS } from './library.js';
import { PROJECT_PART_WRITINGS } from './project-parts.js';
import { PROJECT_WRITINGS } from './projects.js';
import { REPORT_READINGS, REPORT_WRITINGS } from './reports.js';
import { WEBHOOK_SENDINGS, WEBHOOK_WRITINGS } from './webhooks.js';
import type { Writing } from './writing.js';

/** Every writing operation of the document, with a valid request and the activities that it must record. */
export const WRITINGS: readonly Writing[] = [
  ...ACCESS_WRITINGS,
  ...CONNECTOR_WRITINGS,
  ...JOB_WRITINGS,
  ...LIBRARY_WRITINGS,
  ...PROJECT_WRITINGS,
  ...PROJECT_PART_WRITINGS,
  ...REPORT_WRITINGS,
  ...TRACKER_CONNECTION_WRITINGS,
  ...VERIFICATION_CONNECTION_WRITINGS,
  ...WEBHOOK_WRITINGS,
];

/** Operations that change nothing themselves, whatever their method, or that are tested elsewhere. */
export const NOTHING_WRITTEN: readonly string[] = [
  'POST /composite/',
  ...FIRST_SETUP,
  ...CONNECTION_TESTS,
  ...REPORT_READINGS,
  ...WEBHOOK_SENDINGS,
];

/** The title of a writing in tests: its operation, and what is special about this request. */
export const titleOf = ({ operation, when }: Writing): string => (when ? `${operation} (${when})` : operation);
