import { Migration20261121000000_Foundation } from './Migration20261121000000_Foundation.js';
import { Migration20261121010000_Jobs } from './Migration20261121010000_Jobs.js';

/** Every migration, in order. They are listed, since a build keeps only files that something imports. */
export const migrations = [
  { name: 'Migration20261121000000_Foundation', class: Migration20261121000000_Foundation },
  { name: 'Migration20261121010000_Jobs', class: Migration20261121010000_Jobs },
];
