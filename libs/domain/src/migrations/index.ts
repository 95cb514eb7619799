import { Migration20261123000000_Schema } from './Migration20261123000000_Schema.js';

const FIRST = { name: 'Migration20261123000000_Schema', class: Migration20261123000000_Schema };

/** Every migration, in order. They are listed, since a build keeps only files that something imports. */
export const migrations = [FIRST];

/** Whether a migration is of the time before the first release: then the first one of today stands for it. */
export const isFormer = (name: string): boolean => name < FIRST.name;
