/** A page that a browser has arrived at. */
export interface Arrival {
  readonly status: number;
  /** The address of the last response, without redirects. */
  readonly url: URL;
  readonly text: string;
  readonly headers: Headers;
  /** All addresses that it was redirected to, in order. */
  readonly redirects: readonly URL[];
}

const MAX_REDIRECTS = 20;

/** A browser that keeps the cookies of each origin, and follows redirects. It runs no scripts. */
export class BrowserJar {
  private readonly cookies = new Map<string, Map<string, string>>();

  /** The cookies of an origin, by name. */
  of(origin: string): Map<string, string> {
    const cookies = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, cookies);
    return cookies;
  }

  /** The `Cookie` header for an origin. */
  header(origin: string): string {
    return [...this.of(origin)].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /**
   * Visits an address as a person does who opens a link.
   *
   * @param stopBefore ends the visit before it follows a redirect to such an address
   */
  async visit(address: string | URL, stopBefore: (url: URL) => boolean = () => false): Promise<Arrival> {
    const redirects: URL[] = [];
    let url = new URL(address);
    for (;;) {
      const response = await fetch(url, { redirect: 'manual', headers: { Cookie: this.header(url.origin) } });
      this.keep(url.origin, response);
      const location = response.headers.get('location');
      const text = await response.text();
      const arrival = { status: response.status, url, text, headers: response.headers, redirects };
      if (location === null) return arrival;
      url = new URL(location, url);
      redirects.push(url);
      if (stopBefore(url)) return arrival;
      if (redirects.length > MAX_REDIRECTS) throw new Error(`Too many redirects, last to ${url.href}.`);
    }
  }

  private keep(origin: string, response: Response): void {
    const cookies = this.of(origin);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
  }
}
