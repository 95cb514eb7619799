import { availableParallelism } from 'node:os';
import type { Configuration } from '#platform/configuration.js';

/** Two organizations hold at most three of four, so that one is free for a third. */
const MINIMUM_HEAVY_SLOTS = 4;
/** Rows of the largest page that counts as a short request. */
const SHORT_PAGE_ROWS = 100;

/** How many heavy requests one API process works on at once. */
export const heavySlotCount = ({ maxHeavyRequests }: Pick<Configuration, 'maxHeavyRequests'>): number =>
  maxHeavyRequests || Math.max(MINIMUM_HEAVY_SLOTS, availableParallelism());

/** Whether a list may keep the database busy for long: more than 100 rows in a page, or unpaged (undefined). */
export const isLongList = (pageSize: number | undefined): boolean =>
  pageSize === undefined || pageSize > SHORT_PAGE_ROWS;

/**
 * The MikroORM context of whole lists and large pages, for `@InjectEntityManager`. If the database runs on this
 * machine, they use separate connections whose server processes have a lower priority than those of short requests.
 */
export const LONG_READS = 'long-reads';
