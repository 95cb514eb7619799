import type { ColumnType } from '#files/rows.js';
import type { Column } from './content-model.js';

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

/** A text; where it may not be null, an empty cell is the empty text. */
export const text = column('text');

/** A whole number; where it may not be null, an empty cell says nothing. */
export const integer = column('integer');

/** True or false; where it may not be null, an empty cell says nothing. */
export const boolean = column('boolean');

/** A list of texts or of whole numbers, as JSON in a cell; where it may not be null, an empty cell says nothing. */
export const list = column('list');
