import type { TestDatabase } from './database.js';
import { addSurroundings } from './report-surroundings.js';

/** A reproducible generator of pseudo-random numbers. */
export class Chance {
  constructor(private state: number) {}

  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  holds(probability: number): boolean {
    return this.next() < probability;
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  some<T>(values: readonly T[], most: number): T[] {
    return Array.from({ length: this.below(most + 1) }, () => this.of(values));
  }
}

const WORDS = ['alpha', 'Beta', '100%', 'under_score', 'back\\slash', 'ÄÖÜ', 'gamma ray', "O'Neil", 'beta', '"quoted"'];

/** Times around changes of daylight saving, and with microseconds. */
export const moment = (chance: Chance): string => {
  const days = [
    '2025-12-31',
    '2026-01-01',
    '2026-03-28',
    '2026-03-29',
    '2026-03-30',
    '2026-06-30',
    '2026-10-25',
    '2026-11-01',
  ];
  const two = (count: number): string => String(chance.below(count)).padStart(2, '0');
  return `${chance.of(days)} ${two(24)}:${two(60)}:${two(60)}.${String(chance.below(1_000_000)).padStart(6, '0')}+00`;
};

/** Creates an organization with rows in every cube that can have some; returns its id. */
export async function makePortfolio(database: TestDatabase, chance: Chance): Promise<number> {
  const insert = async (table: string, values: Record<string, unknown>): Promise<number> => {
    const names = Object.keys(values);
    const placeholders = names.map((_, index) => `$${index + 1}`).join(', ');
    const [row] = await database.query<{ id: string }>(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${placeholders}) RETURNING id`,
      Object.values(values),
    );
    return Number(row?.id);
  };
  let serial = 0;
  const name = (): string => `${chance.of(WORDS)} ${(serial += 1)}`;
  const times = (): object => ({ created_at: moment(chance), updated_at: moment(chance) });
  const organization_id = await insert('organization', { name: `Reports ${chance.next()}` });
  const [role] = await database.query<{ id: string }>(`SELECT id FROM global_role WHERE item_id = 'UR4'`);
  const users: number[] = [];
  for (let user = 0; user < 4; user += 1)
    users.push(
      await insert('user_account', {
        organization_id,
        email: `${organization_id}.${user}@example.com`,
        first_name: chance.of(WORDS),
        last_name: name(),
        role_id: role?.id,
        is_active: chance.holds(0.7),
        last_login_at: chance.holds(0.5) ? moment(chance) : null,
        // Two times in the same millisecond are equal in results, but differ in the database.
        joined_at: `2025-01-0${user + 1} 08:30:00+00`,
      }),
    );
  const library = await database.query<{ id: string }>(
    'SELECT countermeasure_id AS id FROM countermeasure_version WHERE organization_id IS NULL ORDER BY number LIMIT 40',
  );
  // As above, their times are in different milliseconds.
  const moments = `'2025-02-01 08:30:00+00'::timestamptz + number * interval '1 minute'`;
  // Each organization changes different items, so that the changes of others must not appear in its results.
  for (const { id } of library.filter(() => chance.holds(0.3)))
    await database.query(
      `INSERT INTO countermeasure_version (countermeasure_id, organization_id, is_custom, number, title, text,
        weakness_id, phase_id, priority, active, tags, created_at, updated_at)
       SELECT countermeasure_id, $2, false, number, $3, text,
         (SELECT id FROM weakness w WHERE w.organization_id IS NULL AND w.id <> weakness_id ORDER BY id LIMIT 1),
         phase_id, $4, $5, tags, ${moments}, ${moments}
       FROM countermeasure_version WHERE countermeasure_id = $1 AND organization_id IS NULL`,
      [id, organization_id, `${name()} of ${organization_id}`, 1 + chance.below(10), chance.holds(0.5)],
    );
  const phases = await database.query<{ id: string }>(
    'SELECT id FROM phase WHERE organization_id IS NULL ORDER BY number',
  );
  for (let unit = 0; unit < 3; unit += 1) {
    const business_unit_id = await insert('business_unit', {
      organization_id,
      name: name(),
      slug: `b${serial}`,
      ...times(),
    });
    for (let application = 0; application < unit + 1; application += 1) {
      const application_id = await insert('application', {
        organization_id,
        business_unit_id,
        name: name(),
        slug: `a${serial}`,
        priority: chance.of(['0-none', '1-high']),
        ...times(),
      });
      for (let count = chance.below(4); count > 0; count -= 1) {
        const project_id = await insert('project', {
          organization_id,
          application_id,
          name: name(),
          slug: `p${serial}`,
          archived: chance.holds(0.3),
          locked: chance.holds(0.3),
          survey_complete: chance.holds(0.5),
          risk_policy_compliant: chance.of([true, false, null]),
          tags: chance.some(WORDS, 2),
          ...times(),
        });
        for (const [index, { id }] of library.slice(0, chance.below(20)).entries())
          await insert('project_countermeasure', {
            organization_id,
            project_id,
            ...(index % 3
              ? { countermeasure_id: id }
              : {
                  number: index + 1,
                  title: name(),
                  text: '',
                  phase_id: chance.of(phases).id,
                  priority: 1 + chance.below(10),
                }),
            status_id: 1 + chance.below(3),
            verification_status: chance.of(['none', 'pass', 'fail']),
            accepted: chance.holds(0.8),
            relevant: chance.holds(0.8),
            status_updated_at: chance.holds(0.5) ? moment(chance) : null,
            ...times(),
          });
        for (let activity = chance.below(8); activity > 0; activity -= 1)
          await insert('activity', {
            organization_id,
            name: chance.of(['UpdatedProjectActivity', 'MarkedTaskActivity']),
            actor_id: chance.of([...users, null]),
            text: '',
            data: JSON.stringify(chance.holds(0.8) ? { project: project_id, project_desc: name() } : {}),
            icon: 'check',
            log_level: chance.of(['user', 'admin']),
            occurred_at: moment(chance),
          });
      }
    }
  }
  await addSurroundings(database, organization_id);
  return organization_id;
}
