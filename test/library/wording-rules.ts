import { repeated, type Rule, unresolved } from '#content/library/schema/library-parts.js';
import { proseOf } from './readability-rules.ts';

/** Maximum length of a title in characters: lists and tickets show it in one line. */
const MAX_TITLE = 90;

/** Words in the text of a countermeasure: enough to decide whether it is done, and few enough for one duty. */
const COUNTERMEASURE_WORDS = { minimum: 80, maximum: 260 } as const;

/** Maximum number of different tags: a tag is for finding similar items. */
const MAX_TAGS = 80;

/** Words and phrases that read like a word-for-word translation. */
const TRANSLATED_PHRASES = [
  String.raw`nobody|somebody|beside|upon|dearer|(?:is|are|be) held against|questions of competence`,
  String.raw`turns? (?:\S+ ){0,2}round|in other hands|our fault|lies? in a safe|hangs? (?:on|from) it`,
  String.raw`stands? once|(?:is|are) no members?|can'?t be meant|stays text|(?<!\bat )rest(?:s|ed)? on`,
  String.raw`comes? to nothing|on the word of`,
].join('|');
const TRANSLATED = new RegExp(String.raw`\b(${TRANSLATED_PHRASES})\b`, 'iu');

/** The standard name of a weakness and an explanation: "SQL injection: untrusted input changes a database query". */
const NAMED_WEAKNESS = /^\p{Lu}[^:]+: \S/u;

const titlesFit: Rule = ({ weaknesses, countermeasures, additionalRequirements, howTos, threats, components }) =>
  [...weaknesses, ...countermeasures, ...additionalRequirements, ...howTos, ...threats, ...components]
    .filter(({ title }) => title.length > MAX_TITLE)
    .map(({ id, title }) => `${id} has a title of ${title.length} characters; at most ${MAX_TITLE} are allowed`);

const weaknessesHaveStandardNames: Rule = ({ weaknesses }) =>
  weaknesses
    .filter(({ title }) => !NAMED_WEAKNESS.test(title))
    .map(({ id, title }) => `${id} has the title "${title}", which does not start with a standard name and a colon`);

const countermeasuresHaveOneDuty: Rule = ({ countermeasures }) =>
  countermeasures
    .map(({ id, text }) => ({ id, words: text.split(/\s+/).filter(Boolean).length }))
    .filter(({ words }) => words < COUNTERMEASURE_WORDS.minimum || words > COUNTERMEASURE_WORDS.maximum)
    .map(
      ({ id, words }) =>
        `${id} has a text of ${words} words; ` +
        `${COUNTERMEASURE_WORDS.minimum} to ${COUNTERMEASURE_WORDS.maximum} are allowed`,
    );

/** How a developer can check the code, and what it does not cover. */
const HOW_TO_HEADINGS = ['**To check:**', '**Not covered:**'];

const howTosCanBeChecked: Rule = ({ howTos }) =>
  howTos.flatMap(({ id, text }) =>
    HOW_TO_HEADINGS.filter((heading) => !text.includes(heading)).map((heading) => `${id} has no "${heading}"`),
  );

const textsArePlain: Rule = (library) =>
  proseOf(library).flatMap(({ id, title, text }) => {
    const [phrase] = TRANSLATED.exec(`${title}\n${text}`) ?? [];
    return phrase === undefined ? [] : [`${id} uses "${phrase}"; use plainer words`];
  });

const tagsAreControlled: Rule = ({ tags, countermeasures }) => {
  const knownTags = new Set(tags);
  const used = new Set(countermeasures.flatMap(({ tags: own }) => own));
  return [
    ...repeated('tag', tags, (tag) => tag),
    ...(tags.length > MAX_TAGS ? [`there are ${tags.length} tags; at most ${MAX_TAGS} are allowed`] : []),
    ...tags.filter((tag) => !used.has(tag)).map((tag) => `no countermeasure has the tag ${tag}`),
    ...countermeasures.flatMap(({ id, tags: own }) => [
      ...unresolved(id, 'tag', own, knownTags),
      ...(own.length ? [] : [`${id} has no tag`]),
    ]),
  ];
};

/** Rules for titles, texts and tags that are easy to find and read. */
export const WORDING_RULES: readonly Rule[] = [
  titlesFit,
  weaknessesHaveStandardNames,
  countermeasuresHaveOneDuty,
  howTosCanBeChecked,
  textsArePlain,
  tagsAreControlled,
];
