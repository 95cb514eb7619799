import type { EntityManager } from '@mikro-orm/postgresql';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import type { ImportError } from '#domain/exchange/import-job/import-job.rules.js';
import type { Actor } from '#domain/kernel/actor.js';
import type { ReservedItem } from '#domain/kernel/item-numbers.js';
import type { ItemWrite } from '#domain/kernel/item-write.js';
import { RefusedRows } from '#domain/kernel/refused-rows.js';
import { writeAdditionalRequirements } from '#domain/library/additional-requirement/additional-requirement.commands.js';
import { writeAttributes } from '#domain/library/attribute/attribute.commands.js';
import { writeComponents } from '#domain/library/component/component.commands.js';
import { writeComponentQuestions } from '#domain/library/component/component-question.commands.js';
import { writeCountermeasures } from '#domain/library/countermeasure/countermeasure.commands.js';
import { writeGlossaryTerms } from '#domain/library/glossary-term/glossary-term.commands.js';
import { writeHowTos } from '#domain/library/how-to/how-to.commands.js';
import type { Upcoming } from '#domain/library/item-batch/references.js';
import type { ItemCommand } from '#domain/library/item-batch/write-items.js';
import { writePhases } from '#domain/library/phase/phase.commands.js';
import { writeProfiles } from '#domain/library/profile/profile.commands.js';
import { writeRegulations, writeRegulationSections } from '#domain/library/regulation/regulation.commands.js';
import * as survey from '#domain/library/survey/survey.commands.js';
import { writeThreats } from '#domain/library/threat/threat.commands.js';
import { writeTrainingModules } from '#domain/library/training-module/training-module.commands.js';
import { writeWeaknesses } from '#domain/library/weakness/weakness.commands.js';
import { writeWorkflowPrompts } from '#domain/library/workflow-prompt/workflow-prompt.commands.js';
import type { CellValue } from '#files/cell-value.js';
import { changesOf, type Compared, type RowChange } from '../difference/staging.js';
import { textsOf } from '../formats/text-of.js';
import { newValues } from '../plans/changes.js';
import { keptNumber } from '../plans/condition-numbers.js';
import { entriesOf } from '../plans/nested-values.js';
import { refusedFields } from '../plans/row-rules.js';

/** What all batches of one import share. */
export interface Applying {
  readonly em: EntityManager;
  readonly actor: Actor;
  /** Ids of new items, by position. */
  readonly assigned: ReadonlyMap<number, ReservedItem>;
  readonly upcoming: Upcoming;
  /** Which numbers no match condition of the organization had before. */
  readonly isFreeCondition: (number: number) => boolean;
  /** Numbers that conditions have kept. */
  readonly keptConditions: Set<number>;
  /** Numbers that were taken for contexts of prompts and that none has yet. */
  readonly keptContexts: Set<number>;
}

/** Makes and changes the items of a batch by the command of their kind. */
type Writer = (context: Applying, batch: readonly Compared[]) => Promise<unknown>;

/** Calls a command that takes the fields of rows by the names of the model's columns. */
const writer =
  <Input>(command: ItemCommand<Input>): Writer =>
  (context, batch) => {
    const writes = batch.map(({ row, changes }): ItemWrite<Input> => {
      const { match_conditions: conditions, contexts, ...others } = newValues(changes);
      const given = {
        ...others,
        ...(conditions !== undefined && { match_conditions: conditionsOf(context, conditions) }),
        ...(contexts !== undefined && { contexts: contextsOf(context, contexts) }),
      };
      const reserved = context.assigned.get(row.position);
      // The check of the columns has passed the types. A row of a new item has all that is required, or it would have
      // been refused before.
      return reserved ? { input: given as Input, reserved } : { id: row.id ?? '', changes: given as Partial<Input> };
    });
    return command(context.em, context.actor, writes, { fromFile: true, upcoming: context.upcoming });
  };

/** Match conditions as commands take them, which keep their numbers where these are free. */
const conditionsOf = ({ isFreeCondition, keptConditions }: Applying, value: CellValue) =>
  entriesOf(value).map((condition) => ({
    ...(typeof condition.id === 'string' && { id: condition.id }),
    number: keptNumber(condition, isFreeCondition, keptConditions),
    required: textsOf(condition.required),
    excluded: textsOf(condition.excluded),
    required_attributes: textsOf(condition.required_attributes),
    excluded_attributes: textsOf(condition.excluded_attributes),
  }));

/** The same for contexts of prompts: the first that names a number has it. */
const contextsOf = ({ keptContexts }: Applying, value: CellValue) =>
  entriesOf(value).map((context) => ({
    ...context,
    number: typeof context.id === 'number' && keptContexts.delete(context.id) ? context.id : undefined,
  }));

const WRITERS: Readonly<Partial<Record<ContentModel, Writer>>> = {
  phase: writer(writePhases),
  glossary_term: writer(writeGlossaryTerms),
  section: writer(survey.writeSections),
  subsection: writer(survey.writeSubsections),
  attribute: writer(writeAttributes),
  question: writer(survey.writeQuestions),
  subquestion: writer(survey.writeSubquestions),
  answer: writer(survey.writeAnswers),
  weakness: writer(writeWeaknesses),
  standard: writer(writeCountermeasures),
  amendment: writer(writeAdditionalRequirements),
  implementation: writer(writeHowTos),
  regulation: writer(writeRegulations),
  regulation_section: writer(writeRegulationSections),
  component_question: writer(writeComponentQuestions),
  component: writer(writeComponents),
  threat: writer(writeThreats),
  profile: writer(writeProfiles),
  workflow_prompt: writer(writeWorkflowPrompts),
  training_module: writer(writeTrainingModules),
};

/**
 * Applies the rows of a batch, all of one model, which change something. Answers what their command refuses by now:
 * then nothing was applied.
 */
export async function applyBatch(context: Applying, rows: readonly RowChange[]): Promise<ImportError[]> {
  try {
    await (rows[0] && WRITERS[rows[0].model]?.(context, rows.map(changesOf)));
    return [];
  } catch (error) {
    if (!(error instanceof RefusedRows)) throw error;
    return rows.flatMap(({ file, row }, place) =>
      refusedFields(error.refusals[place]).map((refused) => ({ file, row, ...refused })),
    );
  }
}
