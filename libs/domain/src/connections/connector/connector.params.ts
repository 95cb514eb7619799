import type { SecretBox } from '#platform/crypto/secret-box.js';
import { Invalid } from '../../kernel/domain-errors.js';
import {
  CONNECTOR_SECRETS_PURPOSE,
  type ConnectorParams,
  givenParams,
  isSecret,
  paramsProblems,
  SECRET_MASK,
} from './connector.rules.js';

/** Parameters as they are stored. */
export interface StoredParams {
  /** As answers show them: with the mask in place of every secret. */
  readonly params: ConnectorParams;
  /** The secrets by name, as JSON, sealed. */
  readonly sealedSecrets: string;
}

type Entry = readonly [name: string, value: unknown];

/** Seals the secrets among parameters. Throws `Invalid` where the system can't be reached by them. */
export function storeParams(system: string, params: ConnectorParams, secrets: SecretBox): StoredParams {
  const problems = paramsProblems(system, params);
  if (problems) throw new Invalid({ params: problems });
  const entries = Object.entries(params);
  const hidden = Object.fromEntries(entries.filter(([name, value]) => isSecret(name, value)));
  return {
    params: Object.fromEntries(
      entries.map(([name, value]) => [name, Object.hasOwn(hidden, name) ? SECRET_MASK : value]),
    ),
    sealedSecrets: secrets.seal(JSON.stringify(hidden), CONNECTOR_SECRETS_PURPOSE),
  };
}

/** The secrets that are stored; none where the key that they were stored with is gone. */
function openSecrets({ sealedSecrets }: StoredParams, secrets: SecretBox): Entry[] {
  const opened = secrets.open(sealedSecrets, CONNECTOR_SECRETS_PURPOSE);
  return opened === undefined ? [] : Object.entries(JSON.parse(opened) as ConnectorParams);
}

/**
 * Stored parameters with those changed that are sent; null takes one away. Secrets go to no other place than they were
 * given for: with another `url` they have to be sent anew.
 */
export function changeParams(stored: StoredParams, sent: ConnectorParams, secrets: SecretBox): ConnectorParams {
  const { url } = sent;
  const elsewhere = url !== undefined && url !== stored.params['url'];
  const kept = new Map<string, unknown>([
    ...Object.entries(givenParams(stored.params)),
    ...(elsewhere ? [] : openSecrets(stored, secrets)),
  ]);
  for (const [name, value] of Object.entries(sent))
    if (value === null) kept.delete(name);
    else if (value !== SECRET_MASK) kept.set(name, value);
  return Object.fromEntries(kept);
}
