/** The bodies of the same responses, as each generated client returns them. */
export interface Answers {
  /** Countermeasures of priority 8 and more. */
  readonly comparison: unknown;
  /** Countermeasures of two phases, in order, with two includes and without two fields. */
  readonly lists: unknown;
  /** The second page of three countermeasures. */
  readonly page: unknown;
  /** A component that was created with only a title. */
  readonly created: unknown;
  /** The same component after a PATCH of its description. */
  readonly changed: unknown;
}

/** Uses a client as a user whose `Authorization` header is given. */
export type Use = (origin: string, authorization: string) => Promise<Answers>;
