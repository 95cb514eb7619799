import { z } from 'zod';
import type { SubRequestMessage } from '../http/in-process/in-process-dispatcher.js';

/** A tool: its input, and the requests that it sends, in this order, until one fails. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** What a call changes; undefined if it only reads. */
  readonly changes?: { readonly overwrites: boolean; readonly isRepeatable: boolean };
  readonly requestsFor: (input: never) => readonly SubRequestMessage[];
}

/** A tool whose requests are typed by its input. */
export const tool = <Shape extends z.ZodRawShape>(
  definition: Omit<Tool, 'input' | 'requestsFor'> & {
    readonly input: Shape;
    readonly requestsFor: (input: z.infer<z.ZodObject<Shape>>) => readonly SubRequestMessage[];
  },
): Tool => ({ ...definition, input: z.strictObject(definition.input) });

type Query = Readonly<Record<string, string | number | undefined>>;

/** A GET of a path below `/api/v2/`. */
export function get(path: string, query: Query = {}): SubRequestMessage {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return { method: 'GET', path: parameters.size ? `${path}?${parameters}` : path, body: undefined };
}

/** A POST or PATCH with a JSON body. */
export const change = (method: 'POST' | 'PATCH', path: string, body: object): SubRequestMessage => ({
  method,
  path,
  body: JSON.stringify(body),
});

/** Ids are parts of paths, so they contain nothing that has a meaning there. */
const id = (description: string) =>
  z
    .string()
    .regex(/^[A-Za-z\d-]{1,40}$/)
    .describe(description);

export const PROJECT = z.int().min(1).describe('The number of the project, as find_projects returns it');
export const COUNTERMEASURE = id('The id of a countermeasure of the project, such as 1-T21 or T21');
export const LIBRARY_COUNTERMEASURE = id('The id of a countermeasure of the library, such as T21');
export const WEAKNESS = id('The id of a weakness, such as P12');
export const ANSWER = id('The id of an answer, such as A64');
export const QUESTION = id('The id of a question, such as Q5');
export const PAGE = z.int().min(1).max(1000).optional().describe('The page of the list; the first by default');
export const PRIORITY = z.int().min(1).max(10).optional().describe('Only this priority and above');
export const SEARCH = z.string().max(200).optional().describe('Words that the results contain');
export const PHASE = id('The id of a phase, such as X3').optional();
export const NOTE = z.string().min(1).max(5000);

/** The words for statuses, and their ids. */
export const STATUS_IDS = { complete: 'TS1', open: 'TS2', not_applicable: 'TS3' } as const;
export const STATUS = z.enum(Object.keys(STATUS_IDS) as (keyof typeof STATUS_IDS)[]);
