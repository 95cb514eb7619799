import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { findActor } from '#domain/access/user/principal.js';
import { createUser } from '#domain/access/user/user.commands.js';
import { createGroup } from '#domain/access/group/group.commands.js';
import { User } from '#domain/access/user/user.entity.js';
import type { Actor } from '#domain/kernel/actor.js';
import { operatorOf } from '#domain/kernel/operator.js';
import { tables } from '#domain/kernel/tables.js';
import { writeComponents } from '#domain/library/component/component.commands.js';
import {
  createCountermeasures,
  updateCountermeasures,
} from '#domain/library/countermeasure/countermeasure.commands.js';
import { createApplication } from '#domain/projects/application/application.commands.js';
import { createBusinessUnit } from '#domain/projects/business-unit/business-unit.commands.js';
import { createProject, updateProject } from '#domain/projects/project/project.commands.js';
import { createReport } from '#domain/reports/report/report.commands.js';
import { reportTemplates } from '#reporting/templates.js';
import {
  APPSEC_LEAD,
  CHANGED_COMPONENT,
  CUSTOM_COUNTERMEASURES,
  CUSTOMIZED_COUNTERMEASURES,
  type DemoProject,
  emailOf,
  PEOPLE,
  type PersonName,
  PROJECTS,
  REPORTS,
  TESTER,
} from './company.js';
import { answerSurvey, beginSurvey } from './survey.js';
import { type Event, replay } from './timeline.js';
import { advance, assign, scan, workOf } from './work.js';

const DAYS_PER_WEEK = 7;
/** The demo begins with its people and business units. */
export const DEMO_DAYS = 74;
const NEXT_COUNT = 14;
/** The share of its goal that a team has reached after this share of the time: fast at first, as teams are. */
const pace = (time: number): number => time ** 0.8;

type Staff = Readonly<Record<PersonName, Actor>>;

/** Creates the people of the company. They have no password and no token: no one can sign in as them. */
async function hire(em: EntityManager, operator: Actor): Promise<Staff> {
  const staff: [string, Actor][] = [];
  for (const [name, { first, last, role }] of Object.entries(PEOPLE)) {
    const input = { email: emailOf(name as PersonName), first_name: first, last_name: last, role };
    const actor = await findActor(em, await createUser(em, operator, input));
    if (actor) staff.push([name, actor]);
  }
  return Object.fromEntries(staff) as unknown as Staff;
}

/** The addresses of those who will probably look at the demo: their work is part of it. */
const findSuperUsers = (em: EntityManager): Promise<{ email: string }[]> =>
  tables(em, User)
    .selectFrom('user_account')
    .select('email')
    .where('is_superuser', '=', true)
    .where('is_active', '=', true)
    .orderBy('id')
    .limit(1)
    .execute();

/** The countermeasures that a component introduces. */
async function findIntroduced(em: EntityManager, component: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT c.item_id AS id FROM component_version v
    JOIN countermeasure c ON c.id = ANY(v.tasks_introduced) WHERE v.item_id = ${component}`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** What the AppSec lead does: customizes the library, and saves reports. */
function centralWork(em: EntityManager, lead: Actor): Event[] {
  const { id, added } = CHANGED_COMPONENT;
  return [
    {
      daysAgo: 66.2,
      run: async () => void (await createCountermeasures(em, lead, CUSTOM_COUNTERMEASURES.slice(0, 1))),
    },
    { daysAgo: 38.3, run: async () => void (await updateCountermeasures(em, lead, CUSTOMIZED_COUNTERMEASURES)) },
    { daysAgo: 11.1, run: async () => void (await createCountermeasures(em, lead, CUSTOM_COUNTERMEASURES.slice(1))) },
    {
      daysAgo: 2.3,
      run: async () => {
        const introduced = [...(await findIntroduced(em, id)), added];
        await writeComponents(em, lead, [{ id, changes: { tasks_introduced: introduced } }]);
      },
    },
    {
      daysAgo: 20.4,
      run: async () => {
        for (const report of reportTemplates().filter((one) => REPORTS.some((name) => name === one.id))) {
          const { title, description, chart, type, query } = report;
          await createReport(em, lead, { title, description, chart, type, query });
        }
      },
    },
  ];
}

/** The history of a project, from its creation to today. */
function projectWork(
  em: EntityManager,
  {
    demo,
    place,
    staff,
    application,
    visitors,
  }: {
    readonly demo: DemoProject;
    readonly place: number;
    readonly staff: Staff;
    readonly application: string;
    readonly visitors: readonly string[];
  },
): Event[] {
  const { name, description, profile, weeksAgo, developers, share, survey } = demo;
  const lead = staff[demo.lead];
  const began = weeksAgo * DAYS_PER_WEEK - 0.3 - place * 0.07;
  let project = '';
  const create = async (): Promise<void> => {
    const users = [
      ...developers.map((developer) => ({ email: emailOf(developer), role: 'PR4' as const })),
      { email: emailOf(TESTER), role: 'PR3' as const },
    ];
    project = await createProject(em, lead, {
      name,
      description,
      profile,
      application: Number(application),
      users: users.filter(({ email }, index) => users.findLastIndex((one) => one.email === email) === index),
    });
  };
  const answerQuestions = async (): Promise<void> => {
    if (survey === undefined) await answerSurvey(em, lead, project);
    else if (survey === 'draft') await beginSurvey(em, lead, project, 6);
  };
  const weeks = Array.from({ length: weeksAgo }, (_, week): Event => ({
    daysAgo: Math.max(began - (week + 1) * DAYS_PER_WEEK + 0.9, 0.1),
    run: async () => {
      const developer = staff[developers[week % developers.length] ?? developers[0]];
      const reached = (done: number): number => share * pace(done / weeksAgo);
      const work = await workOf(em, lead, project);
      await advance(em, developer, project, work, [reached(week), reached(week + 1)]);
    },
  }));
  const next = async (): Promise<void> => {
    const work = await workOf(em, lead, project);
    const first = Math.round(share * work.length);
    const emails = [...developers.map(emailOf), ...(place % 3 === 0 ? visitors : [])];
    await assign(em, lead, project, work.slice(first, first + NEXT_COUNT), emails);
  };
  const events: Event[] = [
    { daysAgo: began, run: create },
    { daysAgo: began - 0.4, run: answerQuestions },
    ...(share > 0 ? weeks : []),
  ];
  const { scanner } = demo;
  if (scanner !== undefined)
    events.push({
      daysAgo: 1.4,
      run: async () => {
        const work = await workOf(em, lead, project);
        await scan(em, staff[TESTER], project, work, { system: scanner, upTo: share });
      },
    });
  if (demo.archived) events.push({ daysAgo: 0.6, run: () => updateProject(em, lead, project, { archived: true }) });
  else if (survey !== 'unanswered') events.push({ daysAgo: 0.8, run: next });
  return events;
}

/** Creates each business unit and application once; returns the ids of the applications by project. */
async function buildCompany(em: EntityManager, operator: Actor): Promise<Map<DemoProject, string>> {
  const units = new Map<string, string>();
  const applications = new Map<DemoProject, string>();
  for (const demo of PROJECTS) {
    const { unit, application: name, priority } = demo;
    const unitId = units.get(unit) ?? (await createBusinessUnit(em, operator, { name: unit, all_users: true }));
    units.set(unit, unitId);
    applications.set(demo, await createApplication(em, operator, { name, priority, business_unit: Number(unitId) }));
  }
  return applications;
}

/** Fills an organization with a company at work. The caller has checked that it has no projects. */
export async function fillOrganization(em: EntityManager, organizationId: number): Promise<void> {
  const operator = operatorOf(organizationId);
  const visitors = (await findSuperUsers(em)).map(({ email }) => email);
  let staff: Staff | undefined;
  let applications = new Map<DemoProject, string>();
  const begin = async (): Promise<void> => {
    staff = await hire(em, operator);
    const { tomas, sofia, ravi } = staff;
    await createGroup(em, operator, {
      name: 'Security champions',
      description: 'One of every team.',
      users: [tomas, sofia, ravi].map(({ id }) => id),
    });
    applications = await buildCompany(em, operator);
  };
  await replay(em, [{ daysAgo: DEMO_DAYS, run: begin }]);
  if (!staff) throw new Error('The company has no staff.');
  const people = staff;
  await replay(em, [
    ...centralWork(em, people[APPSEC_LEAD]),
    ...PROJECTS.flatMap((demo, place) =>
      projectWork(em, { demo, place, staff: people, application: applications.get(demo) ?? '', visitors }),
    ),
  ]);
}
