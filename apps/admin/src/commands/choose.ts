import type { EntityManager } from '@mikro-orm/postgresql';
import {
  findOrganization,
  findOrganizations,
  type Organization,
} from '#domain/access/organization/find-organization.js';
import { CommandError, type Options } from '../command.js';

export const MAX_PATH_LENGTH = 4096;
export const MAX_WORD_LENGTH = 500;

/** The option that `organizationOf` reads. */
export const ORGANIZATION = {
  type: 'string',
  about: 'name or number; optional if there is only one',
} as const;

/** Returns the value if it is one of `words`; `label` names the option in the error. Throws `CommandError`. */
export function choice<const Word extends string>(label: string, choices: readonly Word[], input: string): Word {
  const match = choices.find((candidate) => candidate === input);
  if (match === undefined) throw new CommandError(`${label}: "${input}" is not one of ${choices.join(', ')}.`);
  return match;
}

/** The organization that `--organization` names, or the only one if the option is missing. Throws `CommandError`. */
export async function organizationOf(em: EntityManager, options: Options): Promise<Organization> {
  const name = options.text('organization', MAX_WORD_LENGTH);
  if (name !== undefined) {
    const organization = await findOrganization(em, name);
    if (!organization) throw new CommandError(`--organization: the organization "${name}" does not exist.`);
    return organization;
  }
  const [only, ...others] = await findOrganizations(em, 2);
  if (!only) throw new CommandError('No organization exists yet.');
  if (others.length) throw new CommandError('--organization is required, because there are several organizations.');
  return only;
}
