import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { administrationStrings as texts } from '../../administration-strings.ts';
import { ALL_SCOPES, createToken, type Owner, revokeToken, type Scope, tokensQuery } from '../../api/credentials.ts';
import { projectsQuery } from '../../api/projects.ts';
import { AskButton } from '../../components/ask-button.tsx';
import { Button, Group, Stack, Text } from '../../components/controls.ts';
import { type FieldsOf, Form, hasFormDraft } from '../../components/form.tsx';
import { Tag, Time } from '../../components/formats.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { Loaded } from '../../components/states.tsx';
import { useChange, useSaved } from '../use-change.ts';
import { useList } from '../use-list.ts';
import { FactsList } from '../facts-list.tsx';

const EVERYTHING = '*';

type TokenFields = {
  readonly name: string;
  readonly expires: string;
  readonly scopes: readonly string[];
  readonly projects: readonly string[];
};

const EMPTY: TokenFields = { name: '', expires: '', scopes: [], projects: [] };

const bodyOf = ({ name, expires, scopes, projects }: TokenFields) => ({
  name,
  scopes: scopes as Scope[],
  ...(expires !== '' && { expires: new Date(`${expires}T23:59:59`).toISOString() }),
  ...(projects.length > 0 && { projects: projects.map(Number) }),
});

function NewToken({ owner, onCreated }: { readonly owner: Owner; readonly onCreated: (token: string) => void }) {
  const projects = useQuery(projectsQuery({})).data?.results ?? [];
  const saved = useSaved(['tokens']);
  const fields: FieldsOf<TokenFields> = {
    name: { kind: 'text', label: texts.name, isRequired: true },
    expires: { kind: 'date', label: texts.expires, description: texts.expiresHint },
    scopes: {
      kind: 'choices',
      label: texts.scopes,
      description: texts.scopesHint,
      isRequired: true,
      options: ALL_SCOPES.map((value) => ({ value, label: value === EVERYTHING ? texts.everything : value })),
    },
    projects: {
      kind: 'choices',
      label: texts.projects,
      description: texts.projectsHint,
      options: projects.map(({ id, name }) => ({ value: String(id), label: name })),
    },
  };
  return (
    <Form
      label={texts.newToken}
      initial={EMPTY}
      fields={fields}
      submit={texts.create}
      save={(values) => createToken(owner, bodyOf(values))}
      onSaved={({ token }) => {
        saved();
        onCreated(token);
      }}
    />
  );
}

/** The tokens of a user, and a form for another one. */
export function Tokens({ owner, mayCreate = true }: { readonly owner: Owner; readonly mayCreate?: boolean }) {
  const [isCreating, setCreating] = useState(() => hasFormDraft(texts.newToken));
  const [token, setToken] = useState<string>();
  const tokens = useList(tokensQuery(owner));
  const revoking = useChange((id: number) => revokeToken(owner, id), ['tokens']);
  return (
    <Stack>
      {token !== undefined && <ShownOnce label={texts.tokenShown} secret={token} hint={texts.tokenHint} />}
      {mayCreate && !isCreating && (
        <Group>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              setToken(undefined);
              setCreating(true);
            }}
          >
            {texts.newToken}
          </Button>
        </Group>
      )}
      {isCreating && (
        <NewToken
          owner={owner}
          onCreated={(created) => {
            setCreating(false);
            setToken(created);
          }}
        />
      )}
      <Loaded query={tokens}>
        {({ results }) => (
          <FactsList
            label={texts.tokens}
            items={results}
            file={tokens}
            none={texts.noTokens}
            renderTitle={({ name, prefix, scopes }) => (
              <>
                <Text fw={500}>{name}</Text>
                {prefix !== null && (
                  <Text size="sm" c="dimmed">
                    {prefix}…
                  </Text>
                )}
                {scopes.map((scope) => (
                  <Tag key={scope}>{scope === EVERYTHING ? texts.everything : scope}</Tag>
                ))}
              </>
            )}
            renderFacts={({ expires, last_used, last_used_address }) => (
              <>
                {texts.expiresOn}: {expires === null ? texts.never : <Time at={expires} />} · {texts.lastUsed}:{' '}
                {last_used === null ? texts.never : <Time at={last_used} />} {last_used_address}
              </>
            )}
            renderAction={({ id, name }) => (
              <AskButton size="xs" question={texts.revokeAsk(name)} onConfirm={() => revoking.mutate(id)}>
                {texts.revoke}
              </AskButton>
            )}
          />
        )}
      </Loaded>
    </Stack>
  );
}
