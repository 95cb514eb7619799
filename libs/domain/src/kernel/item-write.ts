import type { ReservedItem } from './item-numbers.js';

interface NewItemWrite<Input> {
  readonly input: Input;
  /** Ids that were taken for it already. */
  readonly reserved?: ReservedItem;
}

interface ChangedItemWrite<Input> {
  readonly id: string;
  readonly changes: Partial<Input>;
  /** Public id of the item that it must exist within, where a path names one. */
  readonly within?: string;
}

/** A row of a set-based command: an item to be made, or to be changed. */
export type ItemWrite<Input> = NewItemWrite<Input> | ChangedItemWrite<Input>;

/** Rows that make items of these inputs. */
export const newItems = <Input>(inputs: readonly Input[]): ItemWrite<Input>[] => inputs.map((input) => ({ input }));

/** Whether a row that changes an item names any field. */
export const changesAnything = ({ changes }: { readonly changes: object }): boolean => Object.keys(changes).length > 0;
