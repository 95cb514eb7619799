/** What an item rests on and when it was last reviewed, as a client gives it. */
export interface ProvenanceInput {
  readonly references?: readonly string[];
  readonly reviewed_at?: string | null;
}
