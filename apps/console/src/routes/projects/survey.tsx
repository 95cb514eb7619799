import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { projectQuery } from '../../api/projects.ts';
import { commentsQuery, type Draft, draftQuery, type Section } from '../../api/survey.ts';
import { Alert, Button, Text } from '../../components/controls.ts';
import { Filters, TextFilter } from '../../components/filters.tsx';
import { Page } from '../../components/layout.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';
import { ProjectTabs } from './project-tabs.tsx';
import { SurveyBar } from './survey-bar.tsx';
import { SurveyPreview } from './survey-preview.tsx';
import { SurveyQuestion } from './survey-question.tsx';

const route = getRouteApi('/projects/$project/survey');

type Answer = Draft['answers'][number];

/** The sections with the questions that are open: follow-up questions appear when their condition holds. */
function openSections(draft: Draft, answers: ReadonlyMap<string, Answer>): Section[] {
  return (draft.sections ?? [])
    .map((section) => ({
      ...section,
      questions: section.questions.filter((question) => question.answers.some(({ id }) => answers.get(id)?.valid)),
    }))
    .filter(({ questions }) => questions.length > 0);
}

function matching(sections: readonly Section[], q: string | undefined): Section[] {
  const words = (q ?? '').toLowerCase().split(/\s+/);
  return sections
    .map((section) => ({
      ...section,
      questions: section.questions.filter(({ text, description, answers }) => {
        const searched = [text, description, ...answers.map((answer) => answer.text)].join(' ').toLowerCase();
        return words.every((word) => searched.includes(word));
      }),
    }))
    .filter(({ questions }) => questions.length > 0);
}

function Survey({ project, draft }: { readonly project: number; readonly draft: Draft }) {
  const { q, section } = route.useSearch();
  const navigate = route.useNavigate();
  const details = useQuery(projectQuery(project)).data;
  const isClosed = details !== undefined && (details.locked || details.archived);
  const mayAnswer = !isClosed && (details?.permissions?.includes('survey') ?? false);
  const mayComment = !isClosed && (details?.permissions?.includes('notes') ?? false);
  const comments = useQuery(commentsQuery(project));
  const answers = useMemo(() => new Map(draft.answers.map((answer) => [answer.id, answer])), [draft.answers]);
  const sections = useMemo(() => openSections(draft, answers), [draft, answers]);
  const found = matching(sections, q);
  const shown = q === undefined ? (found.find(({ id }) => id === section) ?? found[0]) : undefined;
  const visible = shown ? [shown] : found;
  const said = useMemo(() => new Map(draft.questions.map((question) => [question.id, question])), [draft.questions]);
  const isAnswered = ({ id }: Section['questions'][number]): boolean => said.get(id)?.answered ?? false;
  const all = sections.flatMap(({ questions }) => questions);
  const next = shown && found[found.indexOf(shown) + 1];
  const goTo = (id: string): void => {
    void navigate({ search: { section: id, q: undefined } });
    document.querySelector('.survey-questions')?.scrollTo({ top: 0 });
  };
  return (
    <>
      {isClosed && (
        <Alert color="yellow" variant="outline" radius={0} role="status">
          {strings.surveyReadOnly}
        </Alert>
      )}
      <div className="survey">
        <nav className="survey-nav" aria-label={strings.sections}>
          {sections.map(({ id, title, questions }) => (
            <button
              key={id}
              type="button"
              className="section-link"
              aria-current={id === shown?.id ? 'step' : undefined}
              onClick={() => goTo(id)}
            >
              <span>{title}</span>
              <Text component="span" size="xs" c="dimmed">
                {questions.filter(isAnswered).length}/{questions.length}
              </Text>
            </button>
          ))}
        </nav>
        <div className="page-scroll survey-questions">
          {visible.length === 0 && <Empty title={strings.noQuestions} />}
          {visible.map(({ id, title, questions }) => (
            <section key={id} className="page-text" aria-labelledby={`title-${id}`}>
              <h2 className="section-title" id={`title-${id}`}>
                {title}
              </h2>
              {questions.map((question) => (
                <SurveyQuestion
                  key={question.id}
                  project={project}
                  question={question}
                  answers={answers}
                  isNone={said.get(question.id)?.none ?? false}
                  mayAnswer={mayAnswer}
                  mayComment={mayComment}
                  comments={(comments.data?.results ?? []).filter((comment) => comment.question === question.id)}
                />
              ))}
              {next && (
                <Button variant="default" onClick={() => goTo(next.id)}>
                  {strings.nextSection(next.title)}
                </Button>
              )}
            </section>
          ))}
        </div>
        {mayAnswer && <SurveyPreview project={project} draft={draft} />}
      </div>
      <SurveyBar
        project={project}
        draft={draft}
        answered={all.filter(isAnswered).length}
        total={all.length}
        mayAnswer={mayAnswer}
      />
    </>
  );
}

/** The survey of a project. All of its users share one draft. */
export function SurveyPage() {
  const { project } = route.useParams();
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const id = Number(project);
  const details = useQuery(projectQuery(id));
  const draft = useQuery(draftQuery(id));
  return (
    <Page
      title={details.data?.name ?? ''}
      above={<ProjectTabs project={project} current="survey" />}
      filters={
        <Filters>
          <TextFilter
            label={strings.findQuestion}
            value={q}
            onChange={(value) => void navigate({ search: (before) => ({ ...before, q: value }), replace: true })}
          />
        </Filters>
      }
    >
      <Loaded query={draft}>{(data) => <Survey project={id} draft={data} />}</Loaded>
    </Page>
  );
}
