import { useQuery } from '@tanstack/react-query';
import { issueProblemsQuery, recreateIssue, type TrackedIssue } from '../../../api/tracker-connections.ts';
import { Button, Text, Title } from '../../../components/controls.ts';
import { projectStrings as texts } from '../../../project-strings.ts';
import { useChange } from '../../use-change.ts';

interface Of {
  readonly project: number;
  readonly connection: number;
  readonly mayEdit: boolean;
  /** The last run that has ended. */
  readonly lastRun: number | undefined;
}

function Problem({ project, connection, mayEdit, issue }: Omit<Of, 'lastRun'> & { readonly issue: TrackedIssue }) {
  const recreating = useChange(() => recreateIssue(project, connection, issue.id), ['issue-problems', 'tracker-runs']);
  const name = issue.key ?? issue.task ?? String(issue.id);
  return (
    <li className="entry">
      <div className="entry-text">
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {issue.url === null ? (
            name
          ) : (
            <a href={issue.url} className="text-link" rel="noreferrer">
              {name}
            </a>
          )}
          {issue.task !== null && issue.key !== null && ` (${issue.task})`}
        </Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {issue.error ?? texts.issueMissing}
        </Text>
      </div>
      {mayEdit && issue.state === 'missing' && (
        <Button
          size="sm"
          variant="default"
          loading={recreating.isPending}
          aria-label={texts.labelOf(texts.recreate, name)}
          onClick={() => recreating.mutate(undefined)}
        >
          {texts.recreate}
        </Button>
      )}
    </li>
  );
}

/** The issues of a connection that failed or are missing; nothing if there are none. */
export function IssueProblems(props: Of) {
  const { data } = useQuery(issueProblemsQuery(props.project, props.connection, props.lastRun));
  if (!data?.results.length) return null;
  return (
    <section>
      <Title order={4} size="h6" mb={6}>
        {texts.issueProblems}
      </Title>
      <ul className="plain-list" style={{ gap: 0 }} aria-label={texts.issueProblems}>
        {data.results.map((issue) => (
          <Problem key={issue.id} {...props} issue={issue} />
        ))}
      </ul>
    </section>
  );
}
