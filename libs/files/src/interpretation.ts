/** Something that a file does not contain in the way exports write it, and how it was understood. */
export interface Interpretation {
  readonly kind:
    | 'encoding'
    | 'separator'
    | 'sheet'
    | 'column'
    | 'empty row'
    | 'merged cell'
    | 'date'
    | 'text'
    | 'list'
    | 'choice'
    | 'id';
  /** The column; null if it concerns the file as a whole. */
  readonly field: string | null;
  readonly row: number | null;
  readonly details: string;
}

export type NoteInterpretation = (interpretation: Interpretation) => void;
