import { Injectable } from '@nestjs/common';
import { Settings } from '#platform/injected.js';

/** What links may begin with: a scheme, a name or an address, and a port. */
const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Scheme and host; undefined where the request was sent to something that is no host. */
export function originOf(protocol: string, host: string | undefined): string | undefined {
  const origin = `${protocol}://${host ?? ''}`;
  return ORIGIN.test(origin) && URL.canParse(origin) ? origin : undefined;
}

/** Where the service is reached: `PUBLIC_URL`, else what the request was sent to. */
@Injectable()
export class Origin {
  constructor(private readonly settings: Settings) {}

  /** Scheme and host; undefined where the request was sent to something that is no host. */
  of(protocol: string, host: string | undefined): string | undefined {
    return this.settings.publicUrl ?? originOf(protocol, host);
  }
}
