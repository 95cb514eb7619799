const settingOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';

/** The nonce of this page: the Content-Security-Policy allows inserted style sheets only with it. */
export const nonce = settingOf('nonce');
