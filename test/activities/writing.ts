import type { TestApi } from '../support/api.js';
import type { Answer } from '../support/client.js';

/** An activity as the table of the specification has it. */
export interface Told {
  readonly name: string;
  /** Keys of its data, without their `_desc`. */
  readonly data: readonly string[];
  readonly icon: string;
  readonly level: 'user' | 'admin';
}

/** A writing operation of the document, with the activities that it must write. */
export interface Writing {
  /** As the document has it, below `/api/v2`: `POST /library/tasks/`. */
  readonly operation: string;
  /** What is special about this request, where an operation is in the table several times. */
  readonly when?: string;
  readonly told: readonly Told[];
  /** Further activities may follow from the change, such as those of a project's content. */
  readonly following?: boolean;
  /** Makes what the request needs, and gives the request, which changes one thing. */
  readonly prepare: (test: TestApi) => Promise<() => Promise<Answer<unknown>>>;
}

/** Activities of one icon and level: the name's middle, and the keys of the data. */
export const telling =
  (icon: string, level: 'user' | 'admin', ...data: readonly string[]) =>
  (name: string, ...further: readonly string[]): Told => ({ name, data: [...data, ...further], icon, level });
