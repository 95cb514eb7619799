import type { Column, ColumnType } from './content-model.js';

type Traits = Partial<Pick<Column, 'nullable' | 'readOnly' | 'long' | 'references' | 'bounds'>>;

/** Declares columns of one type: what they hold in words, and what is special about them. */
const column =
  (type: ColumnType) =>
  (about: string, traits: Traits = {}): Omit<Column, 'name'> => ({
    type,
    nullable: false,
    readOnly: false,
    long: false,
    about,
    ...traits,
  });

export const text = column('text');
export const integer = column('integer');
export const boolean = column('boolean');
export const list = column('list');
