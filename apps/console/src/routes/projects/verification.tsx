import { useQuery } from '@tanstack/react-query';
import { type Finding, verificationQuery } from '../../api/countermeasures.ts';
import { Group, Stack, Text } from '../../components/controls.ts';
import { nameOf, StateBadge, Time } from '../../components/formats.tsx';
import { Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';

const TONES = { none: 'neutral', pass: 'good', partial: 'warning', fail: 'bad' } as const;

/** What verification says about a countermeasure. */
export function VerificationBadge({ status }: { readonly status: keyof typeof TONES }) {
  return <StateBadge tone={TONES[status]}>{strings.verifications[status]}</StateBadge>;
}

function Entry({ finding }: { readonly finding: Finding }) {
  const { status, analysis_type: type, confidence, updater, created, findings, finding_ref: source } = finding;
  return (
    <article>
      <Group gap="xs">
        <VerificationBadge status={status} />
        <Text size="sm">
          {type.name} · {strings.confidences[confidence]}
        </Text>
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {nameOf(updater)} · <Time at={created} />
      </Text>
      {findings.length > 0 && (
        <ul className="prose">
          {findings.map(({ desc, count }) => (
            <li key={desc}>{strings.timesFound(desc, count)}</li>
          ))}
        </ul>
      )}
      {source !== '' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {/^https?:\/\//.test(source) ? (
            <a className="text-link" href={source} rel="noreferrer">
              {source}
            </a>
          ) : (
            source
          )}
        </Text>
      )}
    </article>
  );
}

/** What people and scanners found out about a countermeasure. */
export function Verification({ project, task }: { readonly project: number; readonly task: string }) {
  const query = useQuery(verificationQuery(project, task));
  return (
    <Loaded query={query}>
      {({ results }) =>
        results.length === 0 ? (
          <Text c="dimmed">{strings.noVerification}</Text>
        ) : (
          <Stack>
            {results.map((finding) => (
              <Entry key={finding.id} finding={finding} />
            ))}
          </Stack>
        )
      }
    </Loaded>
  );
}
