import { constructFromEvents, type Event, EVENT_ID, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml';
import { LIMITS } from '../limits.js';
import type { ParseFailure } from '../reader-thread.js';

/** Documents to parse; `row` is the row number of the first one. */
export interface YamlQuestion {
  readonly texts: readonly string[];
  readonly row: number | null;
}

/** The value of each document. */
export interface YamlValues {
  readonly values: unknown[];
}

/** A document is invalid. The message is shown to the user. */
class InvalidYaml extends Error {}

const TOO_DEEP = `A value is nested deeper than ${LIMITS.depth} levels.`;
const TOO_MANY =
  `The YAML has more than ${LIMITS.yamlWords} names, values and comments in one row, or in a file whose rows ` +
  'are not lines that begin with "- ".';

/** Parses documents, or returns the error of the first invalid one. */
export function readDocuments({ texts, row }: YamlQuestion): YamlValues | ParseFailure {
  const values: unknown[] = [];
  try {
    for (const text of texts) values.push(readDocument(text));
    return { values };
  } catch (error) {
    return { error: errorOf(error), ...(row !== null && { row: row + values.length }) };
  }
}

function errorOf(error: unknown): string {
  if (error instanceof InvalidYaml) return error.message;
  if (error instanceof YAMLException) return `The file is not valid YAML: ${error.reason.slice(0, 200)}`;
  if (error instanceof RangeError) return TOO_DEEP;
  throw error;
}

/**
 * The tag that forces a value to be a text. It is appended to the source of the document, so that keys can refer to it.
 */
const TEXT_TAG = '!';

/** Parses one document. Forbidden syntax is found before any value is built. */
function readDocument(text: string): unknown {
  const events = parseEvents(text, {});
  let comments = 0;
  for (const _ of text.matchAll(/^[ \t]*#/gm)) comments += 1;
  if (events.length + comments > LIMITS.yamlWords) throw new InvalidYaml(TOO_MANY);
  checkEvents(events, text.length);
  const [value = null, ...others] = constructFromEvents(events, { source: text + TEXT_TAG });
  if (others.length) throw new InvalidYaml('The file is not valid YAML: it contains several documents.');
  return value;
}

/**
 * Rejects aliases, anchors and tags, deep nesting, and mappings with too many keys. Marks plain keys as texts, whatever
 * they look like.
 */
function checkEvents(events: readonly Event[], textTag: number): void {
  // For each open collection, the number of its nodes; in a mapping, keys and values alternate.
  const open: { readonly isMapping: boolean; nodes: number }[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    if (event.type === EVENT_ID.ALIAS) throw new InvalidYaml('Aliases are not allowed in YAML.');
    if (event.type !== EVENT_ID.DOCUMENT) {
      if (event.anchorStart >= 0) throw new InvalidYaml('Anchors are not allowed in YAML.');
      if (event.tagStart >= 0) throw new InvalidYaml('Tags are not allowed in YAML.');
    }
    // Four levels are above the values: the document, the list of rows, the row, and its value.
    if (open.length > LIMITS.depth + 4) throw new InvalidYaml(TOO_DEEP);
    const parent = open.at(-1);
    if (parent?.isMapping && parent.nodes % 2 === 0) {
      if (parent.nodes / 2 >= LIMITS.yamlKeys)
        throw new InvalidYaml(`A mapping has more than ${LIMITS.yamlKeys} keys.`);
      if (event.type !== EVENT_ID.SCALAR) throw new InvalidYaml('The file is not valid YAML: a key is not a string.');
      if (event.style === SCALAR_STYLE.PLAIN)
        Object.assign(event, { tagStart: textTag, tagEnd: textTag + TEXT_TAG.length });
    }
    if (parent) parent.nodes += 1;
    if (event.type !== EVENT_ID.SCALAR) open.push({ isMapping: event.type === EVENT_ID.MAPPING, nodes: 0 });
  }
}
