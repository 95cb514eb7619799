import type { ReservedItem } from './item-numbers.js';

interface NewItemWrite<Input> {
  readonly input: Input;
  /** Ids that are already allocated for it. */
  readonly reserved?: ReservedItem;
}

interface ChangedItemWrite<Input> {
  readonly id: string;
  readonly changes: Partial<Input>;
  /** Public id of the parent item that the path names, if any: the item must belong to it. */
  readonly within?: string;
}

/** An item to be created or changed by a set-based command. */
export type ItemWrite<Input> = NewItemWrite<Input> | ChangedItemWrite<Input>;

export const newItems = <Input>(inputs: readonly Input[]): ItemWrite<Input>[] => inputs.map((input) => ({ input }));

/** Whether a change has at least one field. */
export const changesAnything = ({ changes }: { readonly changes: object }): boolean => Object.keys(changes).length > 0;
