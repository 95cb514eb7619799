import type { SecretBox } from '#platform/crypto/secret-box.js';
import { Invalid } from '../../kernel/domain-errors.js';
import {
  CONNECTOR_SECRETS_PURPOSE,
  type ConnectorParams,
  omitUnsetParams,
  isSecret,
  paramsErrors,
  SECRET_MASK,
} from './connector.rules.js';

export interface StoredParams {
  /** As API responses show them: each secret is masked. */
  readonly params: ConnectorParams;
  /** The secrets by name, as encrypted JSON. */
  readonly sealedSecrets: string;
}

type Entry = readonly [name: string, value: unknown];

/** Masks and encrypts the secrets among parameters. Throws `Invalid` if the parameters do not fit the system. */
export function storeParams(system: string, params: ConnectorParams, secrets: SecretBox): StoredParams {
  const errors = paramsErrors(system, params);
  if (errors) throw new Invalid({ params: errors });
  const entries = Object.entries(params);
  const secretValues = Object.fromEntries(entries.filter(([name, value]) => isSecret(name, value)));
  return {
    params: Object.fromEntries(
      entries.map(([name, value]) => [name, Object.hasOwn(secretValues, name) ? SECRET_MASK : value]),
    ),
    sealedSecrets: secrets.seal(JSON.stringify(secretValues), CONNECTOR_SECRETS_PURPOSE),
  };
}

/** Decrypts the stored secrets; returns none if their encryption key is no longer available. */
function openSecrets({ sealedSecrets }: StoredParams, secrets: SecretBox): Entry[] {
  const opened = secrets.open(sealedSecrets, CONNECTOR_SECRETS_PURPOSE);
  return opened === undefined ? [] : Object.entries(JSON.parse(opened) as ConnectorParams);
}

/** All parameters, with the secrets. */
export const openParams = (stored: StoredParams, secrets: SecretBox): ConnectorParams =>
  Object.fromEntries([...Object.entries(omitUnsetParams(stored.params)), ...openSecrets(stored, secrets)]);

/**
 * Merges changes into stored parameters; null removes one. Secrets are only sent to the URL that they were entered for:
 * if `url` changes, they must be entered again.
 */
export function changeParams(stored: StoredParams, changes: ConnectorParams, secrets: SecretBox): ConnectorParams {
  const { url } = changes;
  const urlChanged = url !== undefined && url !== stored.params['url'];
  const merged = new Map<string, unknown>([
    ...Object.entries(omitUnsetParams(stored.params)),
    ...(urlChanged ? [] : openSecrets(stored, secrets)),
  ]);
  for (const [name, value] of Object.entries(changes))
    if (value === null) merged.delete(name);
    else if (value !== SECRET_MASK) merged.set(name, value);
  return Object.fromEntries(merged);
}
