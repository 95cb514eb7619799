import { UnderscoreNamingStrategy } from '@mikro-orm/core';

const ENDINGS: Readonly<Record<string, string>> = { foreign: 'fkey', unique: 'key', index: 'idx' };

/** Uses PostgreSQL's own default names. The column of a foreign key is named after its property: `owner_id`. */
export class PostgresNames extends UnderscoreNamingStrategy {
  override joinKeyColumnName(property: string): string {
    return this.propertyToColumnName(property);
  }

  override indexName(
    table: string,
    columns: string[],
    type: 'primary' | 'foreign' | 'unique' | 'index' | 'sequence' | 'check' | 'default',
  ): string {
    const ending = ENDINGS[type];
    return ending === undefined ? super.indexName(table, columns, type) : [table, ...columns, ending].join('_');
  }
}
