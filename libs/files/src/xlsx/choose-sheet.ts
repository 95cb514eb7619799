import { normalName } from '../header.js';
import type { NoteInterpretation } from '../interpretation.js';
import type { SheetInfo } from './sheet-facts.js';

/** The name of the n-th sheet of a model, for rows that do not fit into one. */
export const continuationOf = (model: string, n: number): string => `${model}_${n}`;

/**
 * The sheet to read: the one that is named like the model, or else the first one that is not hidden. Undefined if there
 * is none.
 */
export function chooseSheet(model: string, sheets: readonly SheetInfo[]): SheetInfo | undefined {
  const named = sheets.filter(({ name }) => normalName(name) === model);
  const [first] = [...named.filter(isVisible), ...named, ...sheets.filter(isVisible), ...sheets];
  return first;
}

const isVisible = ({ isHidden }: SheetInfo): boolean => !isHidden;

/** Notes which sheet is read if it has another name than the model, and which others with values are not read. */
export function noteSheets(
  model: string,
  sheets: readonly SheetInfo[],
  chosen: SheetInfo | undefined,
  note: NoteInterpretation | undefined,
): void {
  const others = sheets.filter((sheet) => sheet !== chosen && sheet.hasValues && !isContinuation(model, sheet.name));
  const say = (details: string): void => note?.({ kind: 'sheet', field: null, row: null, details });
  if (chosen && chosen.name !== model && others.length) say(`The sheet ${JSON.stringify(chosen.name)} is read.`);
  for (const { name, isHidden } of others)
    say(`The ${isHidden ? 'hidden ' : ''}sheet ${JSON.stringify(name)} is ignored.`);
}

/** Whether a sheet continues the one that is read. Each is read if the one before it is. */
function isContinuation(model: string, name: string): boolean {
  const [, n] = /_(\d{1,3})$/.exec(name) ?? [];
  return n !== undefined && Number(n) > 1 && name === continuationOf(model, Number(n));
}
