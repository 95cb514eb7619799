import { hash } from 'node:crypto';

/** The strong `ETag` of an item, from the text of its representation without query parameters. */
export const entityTagOf = (json: string): string => `"${hash('sha1', json, 'base64url')}"`;

/** The tags in an `If-Match` or `If-None-Match` header. No tag of ours contains a comma. */
const tagsIn = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/** Whether a client that sends this `If-None-Match` has the version with this tag already. */
export const hasVersion = (header: string | undefined, tag: string): boolean =>
  header !== undefined && tagsIn(header).some((known) => known === '*' || known.replace(/^W\//, '') === tag);

/** Whether `If-Match` allows a change of the version with this tag. Weak tags never match (RFC 9110, 13.1.1). */
export const allowsChangeOf = (header: string, tag: string): boolean =>
  tagsIn(header).some((allowed) => allowed === '*' || allowed === tag);
