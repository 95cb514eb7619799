import { Webhook as Signer } from 'standardwebhooks';
import type { Configuration } from '#platform/configuration.js';
import type { SecretBox } from '#platform/crypto/secret-box.js';
import { OutboundClient } from '#platform/outbound/outbound-client.js';
import { OutboundFailure } from '#platform/outbound/outbound-failure.js';
import type { DeliveryPolicy, AttemptOutcome } from './delivery.policy.js';
import { WEBHOOK_SECRET_PURPOSE, WEBHOOK_URL_PURPOSE, webhookTargetError } from './webhook.rules.js';
import type { WebhookTarget } from './webhook-target.js';

/** Longer responses are cut off: chat services describe errors in a few words. */
const MAX_RESPONSE_BYTES = 2000;

export const deliveryPolicyOf = (configuration: Configuration): DeliveryPolicy => ({
  paceMilliseconds: configuration.webhookPaceMilliseconds,
  retrySeconds: configuration.webhookRetrySeconds,
  disableAfterSeconds: configuration.webhookDisableAfterSeconds,
  timeoutSeconds: configuration.webhookTimeoutSeconds,
});

/** Posts messages to chat services and other receivers. */
export class WebhookSender {
  private readonly client: OutboundClient;
  private readonly hosts: readonly string[];

  constructor(
    configuration: Configuration,
    private readonly secrets: SecretBox,
  ) {
    this.hosts = configuration.webhookHosts;
    this.client = new OutboundClient({
      allowPrivate: configuration.webhookAllowPrivate,
      schemes: ['https:'],
      timeoutMilliseconds: configuration.webhookTimeoutSeconds * 1000,
      maximumResponseBytes: MAX_RESPONSE_BYTES,
    });
  }

  /** Posts a message and returns the outcome. Rejects if `signal` aborts the request. */
  async send(target: WebhookTarget, messageId: string, message: object, signal?: AbortSignal): Promise<AttemptOutcome> {
    const url = this.secrets.open(target.sealedUrl, WEBHOOK_URL_PURPOSE);
    if (url === undefined) return { error: 'The URL cannot be decrypted: its key is no longer available.' };
    // The host may have been removed from the list since the webhook was created.
    const hostError = webhookTargetError(url, target.format, this.hosts);
    if (hostError !== undefined) return { error: hostError, final: true };
    const body = JSON.stringify(message);
    const signature = this.sign(target, messageId, body);
    if (!signature) return { error: 'The secret cannot be decrypted: its key is no longer available.' };
    try {
      const response = await this.client.send({
        method: 'POST',
        url,
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'User-Agent': 'Merlon',
          'Webhook-Id': messageId,
          ...signature,
        },
        body,
        ...(signal && { signal }),
      });
      const retryAfter = response.headers['retry-after'];
      return { status: response.status, text: response.text, ...(retryAfter !== undefined && { retryAfter }) };
    } catch (error) {
      if (!(error instanceof OutboundFailure) || error.reason === 'aborted') throw error;
      return { error: error.message };
    }
  }

  /**
   * The headers that sign an attempt, by the rules of Standard Webhooks: one signature for each secret. Undefined if
   * the secret can't be decrypted. Chat services ask for no signature.
   */
  private sign(
    { format, sealedSecret, sealedPreviousSecret }: WebhookTarget,
    messageId: string,
    body: string,
  ): Readonly<Record<string, string>> | undefined {
    if (format !== 'standard') return {};
    const open = (sealed: string | null): string | undefined =>
      sealed === null ? undefined : this.secrets.open(sealed, WEBHOOK_SECRET_PURPOSE);
    const secret = open(sealedSecret);
    if (secret === undefined) return undefined;
    const previous = open(sealedPreviousSecret);
    const sentAt = new Date();
    const signatures = [secret, ...(previous === undefined ? [] : [previous])].map((key) =>
      new Signer(key).sign(messageId, sentAt, body),
    );
    return {
      'Webhook-Timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'Webhook-Signature': signatures.join(' '),
    };
  }
}
