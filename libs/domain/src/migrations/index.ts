import { Migration20261121000000_Foundation } from './Migration20261121000000_Foundation.js';
import { Migration20261121010000_Jobs } from './Migration20261121010000_Jobs.js';
import { Migration20261121015000_Attributes } from './Migration20261121015000_Attributes.js';
import { Migration20261121020000_Components } from './Migration20261121020000_Components.js';
import { Migration20261121040000_Threats } from './Migration20261121040000_Threats.js';
import { Migration20261121050000_ReferenceContent } from './Migration20261121050000_ReferenceContent.js';
import { Migration20261121060000_Projects } from './Migration20261121060000_Projects.js';
import { Migration20261121061000_ProjectFields } from './Migration20261121061000_ProjectFields.js';
import { Migration20261121062000_ProjectContent } from './Migration20261121062000_ProjectContent.js';
import { Migration20261121063000_ProjectCountermeasures } from './Migration20261121063000_ProjectCountermeasures.js';
import { Migration20261121070000_ActivityStream } from './Migration20261121070000_ActivityStream.js';
import { Migration20261121080000_Webhooks } from './Migration20261121080000_Webhooks.js';
import { Migration20261121090000_Reports } from './Migration20261121090000_Reports.js';
import { Migration20261121100000_ImportJobs } from './Migration20261121100000_ImportJobs.js';
import { Migration20261121110000_Connections } from './Migration20261121110000_Connections.js';
import { Migration20261121120000_Catalogs } from './Migration20261121120000_Catalogs.js';
import { Migration20261121125000_LibraryUpgrades } from './Migration20261121125000_LibraryUpgrades.js';
import { Migration20261121130000_ReportSpeed } from './Migration20261121130000_ReportSpeed.js';
import { Migration20261122000000_UnusedNumbers } from './Migration20261122000000_UnusedNumbers.js';
import { Migration20261122010000_TrainingModules } from './Migration20261122010000_TrainingModules.js';
import { Migration20261122020000_ParentsInAnyOrder } from './Migration20261122020000_ParentsInAnyOrder.js';
import { Migration20261122030000_SizesOfImportRows } from './Migration20261122030000_SizesOfImportRows.js';

/** Every migration, in order. They are listed, since a build keeps only files that something imports. */
export const migrations = [
  { name: 'Migration20261121000000_Foundation', class: Migration20261121000000_Foundation },
  { name: 'Migration20261121010000_Jobs', class: Migration20261121010000_Jobs },
  { name: 'Migration20261121015000_Attributes', class: Migration20261121015000_Attributes },
  { name: 'Migration20261121020000_Components', class: Migration20261121020000_Components },
  { name: 'Migration20261121040000_Threats', class: Migration20261121040000_Threats },
  { name: 'Migration20261121050000_ReferenceContent', class: Migration20261121050000_ReferenceContent },
  { name: 'Migration20261121060000_Projects', class: Migration20261121060000_Projects },
  { name: 'Migration20261121061000_ProjectFields', class: Migration20261121061000_ProjectFields },
  { name: 'Migration20261121062000_ProjectContent', class: Migration20261121062000_ProjectContent },
  { name: 'Migration20261121063000_ProjectCountermeasures', class: Migration20261121063000_ProjectCountermeasures },
  { name: 'Migration20261121070000_ActivityStream', class: Migration20261121070000_ActivityStream },
  { name: 'Migration20261121080000_Webhooks', class: Migration20261121080000_Webhooks },
  { name: 'Migration20261121090000_Reports', class: Migration20261121090000_Reports },
  { name: 'Migration20261121100000_ImportJobs', class: Migration20261121100000_ImportJobs },
  { name: 'Migration20261121110000_Connections', class: Migration20261121110000_Connections },
  { name: 'Migration20261121120000_Catalogs', class: Migration20261121120000_Catalogs },
  { name: 'Migration20261121125000_LibraryUpgrades', class: Migration20261121125000_LibraryUpgrades },
  { name: 'Migration20261121130000_ReportSpeed', class: Migration20261121130000_ReportSpeed },
  { name: 'Migration20261122000000_UnusedNumbers', class: Migration20261122000000_UnusedNumbers },
  { name: 'Migration20261122010000_TrainingModules', class: Migration20261122010000_TrainingModules },
  { name: 'Migration20261122020000_ParentsInAnyOrder', class: Migration20261122020000_ParentsInAnyOrder },
  { name: 'Migration20261122030000_SizesOfImportRows', class: Migration20261122030000_SizesOfImportRows },
];
