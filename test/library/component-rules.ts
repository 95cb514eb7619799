import type { Rule } from '#content/library/schema/library-parts.js';

/** What to look for in order to say that an application has the component, and where its makers describe it. */
const HOW_TO_CHECK =
  /\n\n\*\*To check:\*\* the application has it if \S[^\n]{20,}\. See \[[^[\]\n]+\]\(https:\/\/[\w.-]+\/[^\s()]*\)\.$/u;

/** A team chooses components itself, so a description has to say how to see that one is present. */
const componentsCanBeChecked: Rule = ({ components }) =>
  components
    .filter(({ description }) => !HOW_TO_CHECK.test(asLines(description)))
    .map(({ id }) => `${id} does not end with how to check that it is present, and a link to its documentation`);

/** Paragraphs on one line each. */
const asLines = (text: string): string => text.trim().replaceAll(/(?<!\n)\n(?!\n)/gu, ' ');

export const COMPONENT_RULES: readonly Rule[] = [componentsCanBeChecked];
