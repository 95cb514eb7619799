import { answersOf, questionsOf, type Rule } from '#content/library/schema/library-parts.js';
import type { Library } from '#content/library/schema/library-schema.js';

/** Maximum number of words in a sentence. */
const MAX_SENTENCE = 40;

/** The library is written in American English. These stems occur in British spellings only. */
const BRITISH_STEMS = [
  String.raw`behaviour|defence|offence|licence|artefact|neighbour|colour|favour|honour|centre|programme|catalogue`,
  String.raw`judgement|enrol(?:s|ment)?\b|fulfil(?:s|ment)?\b|practis|analys(?:e[dr]?\b|ing)|(?:un)?authoris`,
  String.raw`organis|recognis|initialis|normalis|sanitis|(?:de)?serialis|customis|minimis|optimis(?!t|m)`,
  String.raw`prioritis|randomis|categoris|synchronis|virtualis|summaris|utilis|standardis|anonymis|pseudonymis`,
  String.raw`(?:cancel|label|model|signal|travel)l(?:ed|ing)|learnt|spoilt|whilst|amongst`,
].join('|');
const BRITISH = new RegExp(String.raw`\b(?:${BRITISH_STEMS})\w*`, 'iu');

const CODE_BLOCK = /^ *```[\s\S]*?^ *```/gmu;
const INLINE_CODE = /`[^`\n]*`/gu;
const LIST_ITEM = /^ *(?:[-*|]|\d+\.) .*(?:\n(?! *(?:[-*|]|\d+\.) )[ \t]+.*)*/gmu;
const SENTENCE_END = /(?<=[.!?])\s+/u;

/** Names in code keep the spelling of their product. */
const withoutCode = (markdown: string): string => markdown.replace(CODE_BLOCK, '').replace(INLINE_CODE, '');

/** The sentences of a Markdown text, without code blocks and lists. */
export const sentencesOf = (markdown: string): string[] =>
  markdown
    .replace(CODE_BLOCK, '\n\n')
    .replace(LIST_ITEM, '\n\n')
    .replaceAll('**', '')
    .split(/\n\s*\n/u)
    .flatMap((paragraph) => paragraph.trim().split(SENTENCE_END))
    .filter(Boolean);

interface Text {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Texts that people read from beginning to end. */
export const proseOf = (library: Library): Text[] => [
  ...library.weaknesses,
  ...library.countermeasures,
  ...library.howTos,
  ...library.additionalRequirements,
  ...library.threats,
  ...library.components.map(({ id, title, description }) => ({ id, title, text: description })),
  ...library.glossary.map(({ id, term, definition }) => ({ id, title: term, text: definition })),
];

const surveyTextsOf = (library: Library): Text[] =>
  questionsOf(library).flatMap((question) => [
    { id: question.id, title: question.text, text: question.description },
    ...answersOf(question).map(({ id, text, description }) => ({ id, title: text, text: description })),
  ]);

/** Reasons of mappings to regulations. */
const reasonsOf = (library: Library): Text[] =>
  library.regulations.flatMap(({ mappings = [] }) =>
    mappings.map(({ section, countermeasure, why }) => ({
      id: `The mapping ${section}–${countermeasure}`,
      title: '',
      text: why,
    })),
  );

const sentencesAreShort: Rule = (library) =>
  proseOf(library).flatMap(({ id, text }) =>
    sentencesOf(text)
      .map((sentence) => ({ words: sentence.split(/\s+/u).length, start: sentence.slice(0, 30) }))
      .filter(({ words }) => words > MAX_SENTENCE)
      .map(
        ({ words, start }) =>
          `${id} has a sentence of ${words} words ("${start}…"); at most ${MAX_SENTENCE} are allowed`,
      ),
  );

const spellingIsAmerican: Rule = (library) =>
  [...proseOf(library), ...surveyTextsOf(library), ...reasonsOf(library)].flatMap(({ id, title, text }) => {
    const [word] = BRITISH.exec(withoutCode(`${title}\n${text}`)) ?? [];
    return word === undefined ? [] : [`${id} spells "${word}" in British English`];
  });

/** Rules for readable American English. */
export const READABILITY_RULES: readonly Rule[] = [sentencesAreShort, spellingIsAmerican];
