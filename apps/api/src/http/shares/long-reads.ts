import { availableParallelism } from 'node:os';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Configuration } from '#platform/configuration.js';

/** At least two, so that one organization can use one while the other is free for the next. */
const MINIMUM_HEAVY_SLOTS = 2;
/** Rows of the largest page that counts as a short request. */
const SHORT_PAGE_ROWS = 100;

/** How many heavy requests one API process works on at once. */
export const heavySlotCount = ({ maxHeavyRequests }: Pick<Configuration, 'maxHeavyRequests'>): number =>
  maxHeavyRequests || Math.max(MINIMUM_HEAVY_SLOTS, availableParallelism());

/** Whether a list may keep the database busy for long: more than 100 rows in a page, or unpaged (undefined). */
export const isLongList = (pageSize: number | undefined): boolean =>
  pageSize === undefined || pageSize > SHORT_PAGE_ROWS;

/**
 * For whole lists and large pages, to be injected: `constructor(private readonly longReads: LongReads)`. If the
 * database runs on this machine, they use separate connections whose server processes have a lower priority than those
 * of short requests.
 */
// The class is the injection token; the interface of the same name describes the value.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export abstract class LongReads {}
export interface LongReads extends EntityManager {}
