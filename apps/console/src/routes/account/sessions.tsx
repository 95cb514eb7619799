import { administrationStrings as texts } from '../../administration-strings.ts';
import { endSession, type Owner, sessionsQuery } from '../../api/credentials.ts';
import { AskButton } from '../../components/ask-button.tsx';
import { Button, Group, Stack, Text } from '../../components/controls.ts';
import { Tag, Time } from '../../components/formats.tsx';
import { Loaded } from '../../components/states.tsx';
import { useChange } from '../use-change.ts';
import { useList } from '../use-list.ts';
import { FactsList } from '../facts-list.tsx';

/** The browser and the system that a `User-Agent` names, as far as people know them. */
const browserOf = (userAgent: string): string => {
  const [browser] = /Edg|OPR|Firefox|Chrome|Safari/.exec(userAgent) ?? [];
  const [system] = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(userAgent) ?? [];
  if (browser === undefined) return userAgent.slice(0, 60);
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser;
  return system === undefined ? name : `${name}, ${system}`;
};

/** The sessions of a user. One's own present session ends by signing out. */
export function Sessions({ owner }: { readonly owner: Owner }) {
  const sessions = useList(sessionsQuery(owner));
  const ending = useChange(
    (ids: readonly number[]) => Promise.all(ids.map((id) => endSession(owner, id))),
    ['sessions'],
  );
  const others = (sessions.data?.results ?? []).filter(({ current }) => !current);
  return (
    <Stack>
      {others.length > 1 && (
        <Group>
          <AskButton
            size="xs"
            loading={ending.isPending}
            question={texts.endOthersAsk}
            onConfirm={() => ending.mutate(others.map(({ id }) => id))}
          >
            {texts.endOthers}
          </AskButton>
        </Group>
      )}
      <Loaded query={sessions}>
        {({ results }) => (
          <FactsList
            label={texts.sessions}
            items={results}
            file={sessions}
            none={texts.noSessions}
            renderTitle={({ user_agent, current }) => (
              <>
                <Text fw={500}>{browserOf(user_agent)}</Text>
                {current && <Tag>{texts.thisSession}</Tag>}
              </>
            )}
            renderFacts={({ address, created, last_used }) => (
              <>
                {address} · {texts.signedIn} <Time at={created} /> · {texts.lastUsed} <Time at={last_used} />
              </>
            )}
            renderAction={({ id, current }) =>
              !current && (
                <Button size="xs" variant="default" onClick={() => ending.mutate([id])}>
                  {texts.endSession}
                </Button>
              )
            }
          />
        )}
      </Loaded>
    </Stack>
  );
}
