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
  readonly onSaved?: () => void;
}

/** A value that stays empty is not sent, so the form does not demand it: some users have no last name, for example. */
const requiredToChange = <Fields extends Values>(fields: FieldsOf<Fields>, saved: Fields): FieldsOf<Fields> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, saved[name] === '' ? { ...field, isRequired: false } : field]),
  ) as FieldsOf<Fields>;

const isConflict = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 412;

/** A form for an item that exists. If someone else has changed it meanwhile, it says so, and what was typed is kept. */
export function EditForm<Item, Fields extends Values, Key extends QueryKey>(props: EditFormProps<Item, Fields, Key>) {
  const { label, query, fields, valuesOf, change, concerned, onSaved } = props;
  const queries = useQueryClient();
  const saved = useSaved(concerned);
  const [count, setCount] = useState(0);
  const item = useQuery(query);
  // Tags by the values that they came with: the item may be loaded again while someone types.
  const tags = useRef(new Map<string, string>());
  const remember = (tagged: Tagged<Item>): void =>
    void tags.current.set(JSON.stringify(valuesOf(tagged.item)), tagged.etag);
  const save = async (changed: Partial<Fields>, base: Fields): Promise<Tagged<Item>> => {
    const tagOfBase = (): string => tags.current.get(JSON.stringify(base)) ?? '';
    const etag = tagOfBase();
    try {
      return await change(changed, etag);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const { data } = await item.refetch();
      if (data) remember(data);
      // What the form does not show has changed.
      if (tagOfBase() !== etag) return change(changed, tagOfBase());
      throw error;
    }
  };
  return (
    <Loaded query={item}>
      {(tagged) => {
        remember(tagged);
        const initial = valuesOf(tagged.item);
        return (
          <Form
            key={count}
            label={label}
            initial={initial}
            fields={requiredToChange(fields, initial)}
            save={(_values, changed, base) => save(changed, base)}
            currentIn={(error) => (isConflict(error) ? valuesOf(error.current as Item) : undefined)}
            onSaved={(next) => {
              queries.setQueryData<Tagged<Item>>(query.queryKey, next);
              saved();
              setCount(count + 1);
              onSaved?.();
            }}
          />
        );
      }}
    </Loaded>
  );
}
