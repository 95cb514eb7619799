import { EmbeddedEngine } from '#reporting/embedded-engine.js';
import type { ReportEngine } from '#reporting/engine.js';
import { ORGANIZATION_SETTING } from '#domain/reporting/reporting-views.js';
import { REPORTING_ROLE } from '#domain/reporting/reporting-schema.js';
import type { Configuration } from '#platform/configuration.js';

/** What runs reports, to be injected: `constructor(private readonly reports: Reports)`. */
// The class is the injection token, the interface of the same name says what is behind it.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export abstract class Reports {}
export interface Reports extends ReportEngine {}

/** The engine that the configuration names. */
export const openReports = (configuration: Configuration): ReportEngine =>
  new EmbeddedEngine({
    url: configuration.databaseReadUrl ?? configuration.databaseUrl ?? '',
    poolSize: configuration.reportPoolSize,
    timeoutSeconds: configuration.reportTimeoutSeconds,
    role: REPORTING_ROLE,
    organizationSetting: ORGANIZATION_SETTING,
  });
