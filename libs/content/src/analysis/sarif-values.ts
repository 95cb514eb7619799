import { REPORT_LIMITS } from './report-limits.js';

/** An object of a SARIF log, which may have any properties. */
export type Plain = Readonly<Record<string, unknown>>;

export const plain = (value: unknown): Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : {};

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A name or id that can be stored, shortened to the length that is kept. */
export const name = (value: unknown): string | undefined =>
  text(value)?.slice(0, REPORT_LIMITS.nameLength).replaceAll('\0', '').toWellFormed();

/** An index; -1 means that there is none. */
export const indexOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 ? value : undefined;

/** A reference to a component of a tool, or to a taxonomy. */
export interface ComponentReference {
  readonly name?: string | undefined;
  readonly guid?: string | undefined;
  readonly index?: number | undefined;
}

/** A reference to a rule, or to an entry of a taxonomy. */
export interface DescriptorReference {
  readonly id?: string | undefined;
  readonly guid?: string | undefined;
  readonly index?: number | undefined;
  /** Undefined for the driver of the tool. */
  readonly component?: ComponentReference | undefined;
}

/** Reads a reference; guids are compared in lower case. */
export function referenceOf(value: unknown): DescriptorReference {
  const { id, guid, index, toolComponent } = plain(value);
  const component = plain(toolComponent);
  return {
    id: name(id),
    guid: name(guid)?.toLowerCase(),
    index: indexOf(index),
    ...(toolComponent !== undefined && {
      component: {
        name: name(component['name']),
        guid: name(component['guid'])?.toLowerCase(),
        index: indexOf(component['index']),
      },
    }),
  };
}
