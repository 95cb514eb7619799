/** HTML that the API has sanitized. Browsers with Trusted Types accept no other text as HTML. */
interface Policy {
  createHTML(text: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(text: string): string }): Policy;
}

const { trustedTypes } = window as unknown as { trustedTypes?: PolicyFactory };

const policy = trustedTypes?.createPolicy('merlon', { createHTML: (text) => text });

// The component library writes style sheets, which contain no markup, as inner HTML.
trustedTypes?.createPolicy('default', {
  createHTML: (text) => {
    if (text.includes('<')) throw new TypeError('Only texts of the API may become HTML.');
    return text;
  },
});

export const trustedHtml = (sanitized: string): string => policy?.createHTML(sanitized) ?? sanitized;
