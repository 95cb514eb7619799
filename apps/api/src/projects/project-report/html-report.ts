import type {
  ProjectReport,
  ReportCountermeasure,
  ReportNote,
} from '#domain/projects/project-report/project-report.js';
import { editionOf } from '#domain/library/regulation/regulation.fields.js';
import { escapeHtml } from '#platform/markdown/plain-text.js';
import { htmlPage } from '../../http/pages.js';
import { dayOf, evidenceOf, factsOf, nameOf, omissionOf, stateOf } from './report-wording.js';

const list = (entries: readonly string[]): string =>
  entries.length ? `<ul>${entries.map((entry) => `<li>${entry}</li>`).join('\n')}</ul>` : '';

const row = (tag: 'th' | 'td', cells: readonly (string | number)[]): string =>
  `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(String(cell))}</${tag}>`).join('')}</tr>`;

const noteHtml = ({ text, author, created }: ReportNote): string =>
  `<blockquote><small>${escapeHtml(`${nameOf(author)}, ${dayOf(created)}`)}</small>
<pre>${escapeHtml(text)}</pre></blockquote>`;

const countermeasureHtml = (countermeasure: ReportCountermeasure): string => `
<h3>${escapeHtml(`${countermeasure.id} ${countermeasure.title}`)}</h3>
<p>${escapeHtml(stateOf(countermeasure))}</p>
${list(countermeasure.evidence.map((entry) => escapeHtml(evidenceOf(entry))))}
${countermeasure.notes.map(noteHtml).join('\n')}`;

/** A project's report as a page that loads nothing. All texts are shown as plain text. */
export function htmlReport(report: ProjectReport): string {
  const { project, answers, countermeasures, coverage } = report;
  const omission = omissionOf(report);
  const body = `
<table>${factsOf(report)
    .map(([name, value]) => `<tr><th>${name}</th><td>${escapeHtml(value)}</td></tr>`)
    .join('\n')}</table>
${project.description === '' ? '' : `<pre>${escapeHtml(project.description)}</pre>`}
${omission === undefined ? '' : `<p>${omission}</p>`}
<h2>Answers</h2>
${answers
  .map(
    ({ question, answers: chosen }) =>
      `<h3>${escapeHtml(question.text)}</h3>\n${list(chosen.map(({ text }) => escapeHtml(text)))}`,
  )
  .join('\n')}
<h2>Countermeasures</h2>
${countermeasures.map(countermeasureHtml).join('\n')}
<h2>Regulations</h2>
<table>${row('th', ['Regulation', 'Sections', 'Addressed', 'Complete'])}
${coverage
  .map(({ regulation, sections, addressed, complete }) =>
    row('td', [editionOf(regulation), sections, addressed, complete]),
  )
  .join('\n')}</table>`;
  return htmlPage({ title: escapeHtml(project.name), body });
}
