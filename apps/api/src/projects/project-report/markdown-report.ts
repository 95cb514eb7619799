import { escapeMarkdown } from '#domain/activity/activity.js';
import type { ProjectReport, ReportCountermeasure } from '#domain/projects/project-report/project-report.js';
import { editionOf } from '#domain/library/regulation/regulation.fields.js';
import { dayOf, evidenceOf, factsOf, nameOf, omissionOf, stateOf } from './report-wording.js';

/** A text as plain text in Markdown: on one line, without markup. */
const inLine = (text: string): string =>
  escapeMarkdown(text.replace(/\s+/g, ' ').trim())
    .replace(/[|&]/g, '\\$&')
    .replace(/^[#+=~-]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');

/** A text of several lines as a quotation, without markup. */
const quoted = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${inLine(line)}`)
    .join('\n');

const list = (entries: readonly string[]): string => entries.map((entry) => `- ${inLine(entry)}`).join('\n');

const row = (cells: readonly (string | number)[]): string =>
  `| ${cells.map((cell) => inLine(String(cell))).join(' | ')} |`;

const blocks = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

const countermeasureMarkdown = (countermeasure: ReportCountermeasure): string =>
  blocks([
    `### ${inLine(`${countermeasure.id} ${countermeasure.title}`)}`,
    inLine(stateOf(countermeasure)),
    list(countermeasure.evidence.map(evidenceOf)),
    ...countermeasure.notes.map(
      ({ text, author, created }) => `${inLine(`${nameOf(author)}, ${dayOf(created)}`)}:\n\n${quoted(text)}`,
    ),
  ]);

/** A project's report as Markdown. All texts are escaped, so that they can't add markup or links. */
export function markdownReport(report: ProjectReport): string {
  const { project, answers, countermeasures, coverage } = report;
  return `${blocks([
    `# ${inLine(project.name)}`,
    list(factsOf(report).map(([name, value]) => `${name}: ${value}`)),
    project.description === '' ? '' : quoted(project.description),
    omissionOf(report) ?? '',
    '## Answers',
    ...answers.map(({ question, answers: chosen }) =>
      blocks([`### ${inLine(question.text)}`, list(chosen.map(({ text }) => text))]),
    ),
    '## Countermeasures',
    ...countermeasures.map(countermeasureMarkdown),
    '## Regulations',
    [
      row(['Regulation', 'Sections', 'Addressed', 'Complete']),
      '|---|---|---|---|',
      ...coverage.map(({ regulation, sections, addressed, complete }) =>
        row([editionOf(regulation), sections, addressed, complete]),
      ),
    ].join('\n'),
  ])}\n`;
}
