import { type QueryKey, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, type Tagged } from '../api/client.ts';
import { type FieldsOf, Form } from '../components/form.tsx';
import type { Values } from '../components/form-values.ts';
import { Loaded } from '../components/states.tsx';
import { useSaved } from './use-change.ts';

interface EditFormProps<Item, Fields extends Values, Key extends QueryKey> {
  readonly label: string;
  /** The item with its tag. */
  readonly query: UseQueryOptions<Tagged<Item>, Error, Tagged<Item>, Key>;
  readonly fields: FieldsOf<Fields>;
  readonly valuesOf: (item: Item) => Fields;
  /** Changes the item if it is still as the tag says. */
  readonly change: (changed: Partial<Fields>, etag: string) => Promise<Tagged<Item>>;
  /** Lists that contain the item. */
  readonly concerned: readonly string[];
}

const isConflict = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 412;

/** A form for an item that exists. If someone else has changed it meanwhile, it says so, and what was typed is kept. */
export function EditForm<Item, Fields extends Values, Key extends QueryKey>(props: EditFormProps<Item, Fields, Key>) {
  const { label, query, fields, valuesOf, change, concerned } = props;
  const queries = useQueryClient();
  const saved = useSaved(concerned);
  const [count, setCount] = useState(0);
  const item = useQuery(query);
  // The tag of what the form started with: the item may be loaded again while someone types.
  const started = useRef<string>(undefined);
  const save = async (changed: Partial<Fields>, etag: string): Promise<Tagged<Item>> => {
    try {
      return await change(changed, etag);
    } catch (error) {
      if (isConflict(error)) started.current = (await item.refetch()).data?.etag; // for the next attempt
      throw error;
    }
  };
  return (
    <Loaded query={item}>
      {(tagged) => {
        started.current ??= tagged.etag;
        return (
          <Form
            key={count}
            label={label}
            initial={valuesOf(tagged.item)}
            fields={fields}
            save={(_values, changed) => save(changed, started.current ?? tagged.etag)}
            currentIn={(error) => (isConflict(error) ? valuesOf(error.current as Item) : undefined)}
            onSaved={(next) => {
              queries.setQueryData<Tagged<Item>>(query.queryKey, next);
              started.current = next.etag;
              saved();
              setCount(count + 1);
            }}
          />
        );
      }}
    </Loaded>
  );
}
