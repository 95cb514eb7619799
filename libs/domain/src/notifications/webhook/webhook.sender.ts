import type { Configuration } from '#platform/configuration.js';
import type { SecretBox } from '#platform/crypto/secret-box.js';
import { OutboundClient } from '#platform/outbound/outbound-client.js';
import { OutboundFailure } from '#platform/outbound/outbound-failure.js';
import type { Message } from './delivery.message.js';
import type { DeliveryPolicy, AttemptOutcome } from './delivery.policy.js';
import { WEBHOOK_URL_PURPOSE, webhookHostError } from './webhook.rules.js';

/** Longer responses are cut off: chat services describe errors in a few words. */
const MAX_RESPONSE_BYTES = 2000;

export const deliveryPolicyOf = (configuration: Configuration): DeliveryPolicy => ({
  paceMilliseconds: configuration.webhookPaceMilliseconds,
  retrySeconds: configuration.webhookRetrySeconds,
  disableAfterSeconds: configuration.webhookDisableAfterSeconds,
  timeoutSeconds: configuration.webhookTimeoutSeconds,
});

/** Posts messages to chat services. */
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
  async send(sealedUrl: string, messageId: string, message: Message, signal?: AbortSignal): Promise<AttemptOutcome> {
    const url = this.secrets.open(sealedUrl, WEBHOOK_URL_PURPOSE);
    if (url === undefined) return { error: 'The URL cannot be decrypted: its key is no longer available.' };
    // The host may have been removed from the list since the webhook was created.
    const hostError = webhookHostError(url, this.hosts);
    if (hostError !== undefined) return { error: hostError, final: true };
    try {
      const response = await this.client.send({
        method: 'POST',
        url,
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'User-Agent': 'Merlon', 'Webhook-Id': messageId },
        body: JSON.stringify(message),
        ...(signal && { signal }),
      });
      const retryAfter = response.headers['retry-after'];
      return { status: response.status, text: response.text, ...(retryAfter !== undefined && { retryAfter }) };
    } catch (error) {
      if (!(error instanceof OutboundFailure) || error.reason === 'aborted') throw error;
      return { error: error.message };
    }
  }
}
