import { EVERY_RESOURCE } from './every-resource.js';
import type { Resource } from './table.js';

/** How many resources of each shape are tested with the rules of shared code. */
const OF_A_SHAPE = 2;

/** Where a resource is found: in the library, within an item, in a project, for its caller, or in the organization. */
export function placeOf({ path, owner, elsewhere }: Resource): string {
  if (owner === 'caller') return 'caller';
  if (path.startsWith('/projects/') && path !== '/projects/') return 'project';
  if (elsewhere) return 'part';
  return path.startsWith('/library/') ? 'library' : 'organization';
}

const isWritable = ({ methods }: Resource): boolean =>
  [...methods.list, ...(methods.item ?? [])].some((method) => method !== 'GET');

/** The facts that could make a difference to the shared code for lists, in words. */
function shapeOf(resource: Resource): string {
  const { paged, extraFields, methods } = resource;
  return [
    placeOf(resource),
    ...(paged ? [`pages of up to ${paged.maximumSize}`] : []),
    ...(extraFields ? ['more fields'] : []),
    methods.item?.includes('DELETE') ? 'deletable' : isWritable(resource) ? 'writable' : 'read-only',
  ].join(', ');
}

/**
 * The first resources of each shape. Rules that depend on what a resource declares are tested for every resource; those
 * that shared code applies to all declarations alike are tested for these.
 */
const REPRESENTATIVES: ReadonlySet<Resource> = new Set(
  [...Map.groupBy(EVERY_RESOURCE, shapeOf).values()].flatMap((resources) => resources.slice(0, OF_A_SHAPE)),
);

export const isRepresentative = (resource: Resource): boolean => REPRESENTATIVES.has(resource);
