import { takeSnapshot } from '#domain/reports/trend/trend.commands.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { type Command, CommandError } from '../command.js';

const MAX_BACKFILL = 3660;

export const trendCommands: readonly Command[] = [
  {
    name: 'trends snapshot',
    about: "takes today's snapshot for trend reports, and fills in past days from activities",
    options: { 'backfill-days': { type: 'string', about: 'number of past days to fill in (0)' } },
    run: ({ orm, configuration }, options) => {
      const backfillDays = Number(options.text('backfill-days', 10) ?? 0);
      if (!Number.isInteger(backfillDays) || backfillDays < 0 || backfillDays > MAX_BACKFILL)
        throw new CommandError(`--backfill-days must be a whole number from 0 to ${MAX_BACKFILL}.`);
      return acrossOrganizations(orm.em, 'count and snapshot', (em) =>
        takeSnapshot(em, { zone: configuration.timeZone, backfillDays }),
      );
    },
  },
];
