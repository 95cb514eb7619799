import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { findIdentities } from '../../kernel/items/find-identities.js';
import { visible } from '../../library/customization/customization.sql.js';
import { projectToChange } from '../project-access/find-project.js';
import { inclusionReason } from '../project-countermeasure/inclusion-reason.sql.js';
import { projectCountermeasures, publicIdOf } from '../project-countermeasure/project-countermeasure.sql.js';
import { explainedCountermeasures, reasons } from '../project-explanation/explanation.sql.js';
import { commitDraft } from './project-survey.commands.js';
import { applyChoices, findChoices, type GivenChoice, notSelectable } from './survey-draft.commands.js';
import { openQuestions, savedStates } from './survey-state.sql.js';

interface NamedItem {
  readonly id: string;
  readonly title: string;
}

interface PreviewedCountermeasure extends NamedItem {
  readonly priority: number;
  readonly reason: string;
}

interface PreviewedQuestion {
  readonly id: string;
  readonly text: string;
}

interface Changed<Item> {
  readonly added: readonly Item[];
  readonly removed: readonly Item[];
}

/** What saving a draft would change. */
export interface SurveyPreview {
  readonly countermeasures: Changed<PreviewedCountermeasure>;
  readonly weaknesses: Changed<NamedItem>;
  readonly threats: Changed<NamedItem>;
  readonly questions: { readonly shown: readonly PreviewedQuestion[]; readonly hidden: readonly PreviewedQuestion[] };
}

/** Internal ids of what a project contains, and of the open questions of its saved survey. */
interface Content {
  readonly countermeasures: readonly number[];
  readonly weaknesses: readonly number[];
  readonly threats: readonly number[];
  readonly questions: readonly number[];
}

async function contentOf(em: EntityManager, actor: Actor, project: number): Promise<Content> {
  const ids = (rows: Sql): Sql => sql`array_to_json(ARRAY(${rows}))`;
  const { rows } = await sql<Content>`SELECT
    ${ids(sql`SELECT countermeasure_id FROM project_countermeasure
      WHERE project_id = p.id AND relevant AND countermeasure_id IS NOT NULL`)} AS countermeasures,
    ${ids(sql`SELECT weakness_id FROM project_weakness WHERE project_id = p.id`)} AS weaknesses,
    ${ids(sql`SELECT threat_id FROM project_threat WHERE project_id = p.id`)} AS threats,
    ${ids(sql`WITH ${openQuestions(savedStates('p'), actor.organizationId)} SELECT id FROM open_question`)} AS questions
    FROM project p WHERE p.id = ${project}`.execute(em.getKysely());
  return rows[0] ?? { countermeasures: [], weaknesses: [], threats: [], questions: [] };
}

/** Why these answers cannot be given, by public id; empty if they can. */
function errorsOf(choices: ReadonlyMap<string, GivenChoice | undefined>): ReadonlyMap<string, string[]> {
  const errors = new Map<string, string[]>();
  const answered = new Map<number, string>();
  for (const [id, choice] of choices) {
    if (!choice) errors.set(id, missingMessages(id));
    else if (choice.selected) {
      const other = choice.isSingle ? answered.get(choice.question) : undefined;
      if (!choice.isActive) errors.set(id, [notSelectable(id)]);
      else if (other !== undefined) errors.set(id, [`"${other}" answers the same question, which takes one answer.`]);
      answered.set(choice.question, id);
    }
  }
  return errors;
}

/** Applies answers to the draft: public ids, and whether they are chosen. Throws `Invalid`. */
async function applyAnswers(
  em: EntityManager,
  actor: Actor,
  project: number,
  answers: Readonly<Record<string, boolean>>,
): Promise<void> {
  const ids = Object.keys(answers);
  const identities = await findIdentities(em, actor, 'survey_answer', ids);
  const selected = new Map([...identities].map(([id, identity]) => [identity, answers[id] === true]));
  const choices = await findChoices(em, selected);
  const choicesById = new Map(choices.map((choice) => [choice.id, choice]));
  const errors = errorsOf(new Map(ids.map((id) => [id, choicesById.get(identities.get(id) ?? 0)])));
  if (errors.size) throw new Invalid({ answers: Object.fromEntries(errors) });
  if (choices.length) await applyChoices(em, project, choices);
}

/** Describes what a change added or removed. Nothing is read if nothing changed. */
async function describe<Item>(em: EntityManager, ids: readonly number[], query: (list: Sql) => Sql): Promise<Item[]> {
  if (!ids.length) return [];
  const { rows } = await sql<Item>`${query(sql`ANY(${ids}::bigint[])`)}`.execute(em.getKysely());
  return rows;
}

/**
 * The countermeasures of a project that it did not have before, and why they apply. The most urgent ones come first.
 */
const addedCountermeasures = (em: EntityManager, actor: Actor, project: number, ids: readonly number[]) => {
  const { organizationId: organization, flags } = actor;
  return describe<PreviewedCountermeasure>(
    em,
    ids,
    (list) => sql`SELECT ${publicIdOf('item')} AS id, item.title, item.priority,
        ${inclusionReason(sql`${project}::bigint`, { organization, flags })} AS reason
      FROM ${projectCountermeasures(organization)} item
      WHERE item.project_id = ${project} AND item.countermeasure_id = ${list}
      ORDER BY item.priority DESC, item.origin, item.number`,
  );
};

/** The countermeasures that no longer apply to a project, and what keeps them out. */
const removedCountermeasures = (em: EntityManager, actor: Actor, project: number, ids: readonly number[]) => {
  const { organizationId: organization, flags } = actor;
  const scope = { organization, flags };
  return describe<PreviewedCountermeasure>(
    em,
    ids,
    (list) => sql`SELECT ${publicIdOf('item')} AS id, item.title, v.priority, coalesce((
        SELECT reason.entry ->> 'text' FROM (${reasons(scope)}) reason
        WHERE reason.entry ->> 'effect' = 'out' LIMIT 1), 'Nothing includes it in this project any more.') AS reason
      FROM ${explainedCountermeasures(sql`${project}::bigint`, scope)} item
      JOIN countermeasure_version v ON v.id = item.version_id
      WHERE item.countermeasure_id = ${list} ORDER BY v.priority DESC, v.is_custom, v.number`,
  );
};

const weaknesses = (em: EntityManager, organization: number, ids: readonly number[]) =>
  describe<NamedItem>(
    em,
    ids,
    (list) => sql`SELECT v.item_id AS id, v.title FROM weakness_version v
      WHERE v.weakness_id = ${list} AND ${visible('weakness', 'v', organization)} ORDER BY v.is_custom, v.number`,
  );

const threats = (em: EntityManager, organization: number, project: number, ids: readonly number[]) =>
  describe<NamedItem>(
    em,
    ids,
    (list) => sql`SELECT ${`${project}-`} || v.item_id AS id, v.title FROM threat_version v
      WHERE v.threat_id = ${list} AND ${visible('threat', 'v', organization)} ORDER BY v.is_custom, v.number`,
  );

const questions = (em: EntityManager, ids: readonly number[]) =>
  describe<PreviewedQuestion>(
    em,
    ids,
    (list) => sql`SELECT q.item_id AS id, q.text FROM survey_question q
      JOIN survey_subsection s ON s.id = q.subsection_id JOIN survey_section section ON section.id = s.section_id
      WHERE q.id = ${list} ORDER BY section.ordinal, section.id, s.ordinal, s.id, q.ordinal, q.id`,
  );

/**
 * What saving the draft of a survey would change if these answers were chosen or rejected first. **It saves the
 * draft**, by the code of the real operation, and compares the project before and after: the caller rolls back. Throws
 * `NotFound`, `Forbidden`, `Invalid`.
 */
export async function previewDraft(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  answers: Readonly<Record<string, boolean>>,
): Promise<SurveyPreview> {
  const { id: project } = await projectToChange(em, actor, projectId, 'survey');
  const { organizationId: organization } = actor;
  await applyAnswers(em, actor, project, answers);
  const before = await contentOf(em, actor, project);
  await commitDraft(em, actor, project);
  const after = await contentOf(em, actor, project);
  const missingIn = (content: Content, other: Content, kind: keyof Content): number[] => {
    const present = new Set(content[kind]);
    return other[kind].filter((id) => !present.has(id));
  };
  const added = (kind: keyof Content) => missingIn(before, after, kind);
  const removed = (kind: keyof Content) => missingIn(after, before, kind);
  return {
    countermeasures: {
      added: await addedCountermeasures(em, actor, project, added('countermeasures')),
      removed: await removedCountermeasures(em, actor, project, removed('countermeasures')),
    },
    weaknesses: {
      added: await weaknesses(em, organization, added('weaknesses')),
      removed: await weaknesses(em, organization, removed('weaknesses')),
    },
    threats: {
      added: await threats(em, organization, project, added('threats')),
      removed: await threats(em, organization, project, removed('threats')),
    },
    questions: {
      shown: await questions(em, added('questions')),
      hidden: await questions(em, removed('questions')),
    },
  };
}
