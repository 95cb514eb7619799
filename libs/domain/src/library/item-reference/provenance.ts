import { cleanTexts } from '../../kernel/field-checks.js';

/** What an item rests on and when it was last reviewed, as a client gives it. */
export interface ProvenanceInput {
  readonly references?: readonly string[];
  readonly reviewed_at?: string | null;
}

/** The properties of a version for what is given; undefined for what is not. */
export const provenanceOf = ({ references, reviewed_at: reviewedAt }: ProvenanceInput) => ({
  references: references && cleanTexts(references),
  reviewedAt,
});

/** The same of a new item, which has nothing where nothing is given. */
export const newProvenanceOf = ({ references = [], reviewed_at: reviewedAt = null }: ProvenanceInput) => ({
  references: cleanTexts(references),
  reviewedAt,
});
