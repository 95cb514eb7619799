import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { LEVEL } from '../../library/countermeasure/countermeasure.rules.js';

/** Built-in attributes that decide how much a project has to do, and what each stands for. The highest one counts. */
export type Signals = Readonly<Record<string, number>>;

/** The assurance level that a team chose. */
export const LEVEL_SIGNALS: Signals = { AT245: 1, AT246: 2, AT247: 3 };

/** From where the project can be reached: the internet, or a company network. */
export const EXPOSURE_SIGNALS: Signals = { AT17: 10, AT18: 5 };

/** Its most sensitive data: special categories, card numbers and data of children, or other data worth protecting. */
export const DATA_SIGNALS: Signals = { AT44: 10, AT45: 10, AT49: 10, AT43: 5, AT46: 5, AT48: 5 };

/** How much the priority of a countermeasure counts, and each level below the highest one. */
export const IMPORTANCE_WEIGHTS = { priority: 6, level: 10 } as const;

/** The bounds of importance. The weights reach the maximum: 6 × 10, 10 × 2, and 10 each for exposure and data. */
export const IMPORTANCE = { minimum: 1, maximum: 100 };

/** The highest of these signals among the built-in attributes `a`; null if there is none. */
export const highestSignal = (signals: Signals): Sql =>
  sql`max((${JSON.stringify(signals)}::jsonb ->> a.item_id)::integer) FILTER (WHERE a.organization_id IS NULL)`;

/** What exposure and data of a project with the attributes `a` add to the importance of its countermeasures. */
export const stakes = sql`(coalesce(${highestSignal(EXPOSURE_SIGNALS)}, 0)
  + coalesce(${highestSignal(DATA_SIGNALS)}, 0))`;

/** The importance of a countermeasure: its own priority and level, and the stakes of its project. */
export const importance = ({ priority, level, stakes: ofProject }: Record<'priority' | 'level' | 'stakes', Sql>): Sql =>
  sql`(${sql.lit(IMPORTANCE_WEIGHTS.priority)} * ${priority}
    + ${sql.lit(IMPORTANCE_WEIGHTS.level)} * (${sql.lit(LEVEL.maximum)} - ${level})
    + ${ofProject})`;
