import { Migration20261123000000_Schema } from './Migration20261123000000_Schema.js';

const FIRST = { name: 'Migration20261123000000_Schema', class: Migration20261123000000_Schema };

/** All migrations, in order. They are listed explicitly because the bundler only keeps imported files. */
export const migrations = [FIRST];

/** Whether a migration was created before the first release, which replaced all of those. */
export const isBeforeFirstRelease = (name: string): boolean => name < FIRST.name;
