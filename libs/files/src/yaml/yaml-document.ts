import { constructFromEvents, type Event, EVENT_ID, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml';
import { LIMITS } from '../limits.js';
import type { Refusal } from '../reader-thread.js';

/** Documents to be read, the first of which is this row of its file. */
export interface YamlQuestion {
  readonly texts: readonly string[];
  readonly row: number | null;
}

/** The value of each document. */
export interface YamlValues {
  readonly values: unknown[];
}

/** A reason why a document is refused. */
class Refused extends Error {}

const TOO_DEEP = `A value is nested deeper than ${LIMITS.depth} levels.`;
const TOO_MANY =
  `The YAML has more than ${LIMITS.yamlWords} names, values and comments in one row, or in a file whose rows ` +
  'are no list of lines that begin with "- ".';

/** Reads documents, or tells why the first one that is refused is. */
export function readDocuments({ texts, row }: YamlQuestion): YamlValues | Refusal {
  const values: unknown[] = [];
  try {
    for (const text of texts) values.push(readDocument(text));
    return { values };
  } catch (error) {
    return { problem: problemOf(error), ...(row !== null && { row: row + values.length }) };
  }
}

function problemOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof YAMLException) return `This is no YAML: ${error.reason.slice(0, 200)}`;
  if (error instanceof RangeError) return TOO_DEEP;
  throw error;
}

/** The tag of what is a text whatever it looks like. A copy stands behind the document, for its keys. */
const TEXT_TAG = '!';

/** Reads one document. What it must not have is found before any value is made. */
function readDocument(text: string): unknown {
  const events = parseEvents(text, {});
  let comments = 0;
  for (const _ of text.matchAll(/^[ \t]*#/gm)) comments += 1;
  if (events.length + comments > LIMITS.yamlWords) throw new Refused(TOO_MANY);
  checkEvents(events, text.length);
  const [value = null, ...others] = constructFromEvents(events, { source: text + TEXT_TAG });
  if (others.length) throw new Refused('This is no YAML: it has several documents.');
  return value;
}

/**
 * Refuses what content needs none of, and what makes a file mean something else than it shows, deep nesting, and
 * mappings of many keys. Keys are texts, whatever they look like.
 */
function checkEvents(events: readonly Event[], textTag: number): void {
  // Of each open collection: how many nodes it has; keys and values of mappings take turns.
  const open: { readonly isMapping: boolean; nodes: number }[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    if (event.type === EVENT_ID.ALIAS) throw new Refused('Aliases are not allowed in YAML.');
    if (event.type !== EVENT_ID.DOCUMENT) {
      if (event.anchorStart >= 0) throw new Refused('Anchors are not allowed in YAML.');
      if (event.tagStart >= 0) throw new Refused('Tags are not allowed in YAML.');
    }
    // Four levels above the nested ones: the document, the list of rows, the row, and its value.
    if (open.length > LIMITS.depth + 4) throw new Refused(TOO_DEEP);
    const parent = open.at(-1);
    if (parent?.isMapping && parent.nodes % 2 === 0) {
      if (parent.nodes / 2 >= LIMITS.yamlKeys) throw new Refused(`A mapping has more than ${LIMITS.yamlKeys} keys.`);
      if (event.type !== EVENT_ID.SCALAR) throw new Refused('This is no YAML: a key is no text.');
      if (event.style === SCALAR_STYLE.PLAIN)
        Object.assign(event, { tagStart: textTag, tagEnd: textTag + TEXT_TAG.length });
    }
    if (parent) parent.nodes += 1;
    if (event.type !== EVENT_ID.SCALAR) open.push({ isMapping: event.type === EVENT_ID.MAPPING, nodes: 0 });
  }
}
