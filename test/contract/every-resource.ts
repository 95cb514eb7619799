import { CONNECTORS } from './connectors.js';
import { JOBS } from './job-resources.js';
import { LIBRARY_UPGRADES } from './library-upgrades.js';
import { PROJECT_CONTENT } from './project-content.js';
import { PROJECTS } from './projects.js';
import { REFERENCE_CONTENT } from './reference-content.js';
import { REPORTS } from './report-resources.js';
import { ACCESS, LIBRARY, REFERENCE } from './resources.js';
import type { Resource } from './table.js';
import { THREATS } from './threats.js';
import { TRACKER_CONNECTIONS } from './tracker-connections.js';
import { VERIFICATION_CONNECTIONS } from './verification-connections.js';
import { WEBHOOKS } from './webhooks.js';

/** The whole table of contracts. */
export const EVERY_RESOURCE: readonly Resource[] = [
  LIBRARY,
  REFERENCE,
  REFERENCE_CONTENT,
  ACCESS,
  CONNECTORS,
  THREATS,
  JOBS,
  LIBRARY_UPGRADES,
  PROJECT_CONTENT,
  PROJECTS,
  REPORTS,
  TRACKER_CONNECTIONS,
  VERIFICATION_CONNECTIONS,
  WEBHOOKS,
].flat();
