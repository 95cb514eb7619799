import type { OutboundResponse } from './outbound-client.js';

/**
 * The members of a JSON object that another service returned.
 *
 * @param response what it returned
 * @returns its members; none if the body is no JSON object
 */
export function jsonObjectOf({ text }: OutboundResponse): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
