import type { Json } from './client.js';

/** A saved report as the API answers it. */
export interface Query {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly created: string;
  readonly modified: string;
  readonly created_by: number;
  readonly query: Record<string, Json>;
  readonly chart: string;
  readonly chart_meta: Record<string, Json>;
  readonly type: 'D' | 'T';
}

/** A report's body that is valid. */
export const queryBody = (fields: object = {}): { [name: string]: Json } => ({
  title: 'Countermeasures by priority',
  chart: 'table',
  query: { schema: 'library', measures: ['LibraryTask.count'], dimensions: ['LibraryTask.priority'] },
  ...fields,
});
