import { CountermeasureVersion } from './countermeasure/countermeasure.entity.js';
import { WeaknessVersion } from './weakness/weakness.entity.js';

/** Every entity of the domain. */
export const entities = [CountermeasureVersion, WeaknessVersion];
