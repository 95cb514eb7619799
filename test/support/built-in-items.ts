import type { ContentType } from '#test/support/resources.js';

export interface BuiltInItem {
  id: string;
  db_id: number;
  title: string;
  text: string;
  type: ContentType;
  active: boolean;
  last_updated_by: { id: number };
}
