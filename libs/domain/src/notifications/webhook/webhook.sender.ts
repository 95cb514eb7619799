import type { Configuration } from '#platform/configuration.js';
import type { SecretBox } from '#platform/crypto/secret-box.js';
import { OutboundClient } from '#platform/outbound/outbound-client.js';
import { OutboundFailure } from '#platform/outbound/outbound-failure.js';
import type { Message } from './delivery.message.js';
import type { DeliveryPolicy, TryOutcome } from './delivery.policy.js';
import { WEBHOOK_URL_PURPOSE, webhookHostProblem } from './webhook.rules.js';

/** Of an answer no more is read: chat services say what is wrong in a word or two. */
const MAXIMUM_ANSWER_BYTES = 2000;

/** The delivery policy of a configuration. */
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
      maximumAnswerBytes: MAXIMUM_ANSWER_BYTES,
    });
  }

  /** Posts a message. Rejects where `signal` breaks it off, else answers what came of it. */
  async send(sealedUrl: string, messageId: string, message: Message, signal?: AbortSignal): Promise<TryOutcome> {
    const url = this.secrets.open(sealedUrl, WEBHOOK_URL_PURPOSE);
    if (url === undefined) return { problem: 'The URL can not be decrypted: the key that it was stored with is gone.' };
    // The list may have become shorter since the webhook was made.
    const hostProblem = webhookHostProblem(url, this.hosts);
    if (hostProblem !== undefined) return { problem: hostProblem, final: true };
    try {
      const answer = await this.client.send({
        method: 'POST',
        url,
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'User-Agent': 'Merlon', 'Webhook-Id': messageId },
        body: JSON.stringify(message),
        ...(signal && { signal }),
      });
      const retryAfter = answer.headers['retry-after'];
      return { status: answer.status, text: answer.text, ...(retryAfter !== undefined && { retryAfter }) };
    } catch (error) {
      if (!(error instanceof OutboundFailure) || error.reason === 'aborted') throw error;
      return { problem: error.message };
    }
  }
}
