import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { administrationStrings as texts } from '../../administration-strings.ts';
import { flagsQuery, turnFlagOff, turnFlagOn } from '../../api/administration.ts';
import { sessionQuery } from '../../api/session.ts';
import { Stack, Switch } from '../../components/controls.ts';
import { Form } from '../../components/form.tsx';
import { Page } from '../../components/layout.tsx';
import { Loaded } from '../../components/states.tsx';
import { useChange, useSaved } from '../use-change.ts';
import { AdminTabs } from './admin-page.tsx';

const isKnown = (name: string): name is keyof typeof texts.flagNames => Object.hasOwn(texts.flagNames, name);

const CONCERNED = [...flagsQuery.queryKey, ...sessionQuery.queryKey];

/** The flags that are on, those that the service knows, and a form for others. */
export function Flags() {
  const flags = useQuery(flagsQuery);
  const [count, setCount] = useState(0);
  const saved = useSaved(CONCERNED);
  const turning = useChange(async ({ name, isOn }: { readonly name: string; readonly isOn: boolean }) => {
    if (isOn) await turnFlagOn(name);
    else await turnFlagOff(name);
  }, CONCERNED);
  return (
    <Page title={texts.sections.flags} above={<AdminTabs current="flags" />}>
      <div className="page-scroll">
        <Loaded query={flags}>
          {({ results }) => {
            const on = results.map(({ name }) => name);
            const names = [...new Set([...Object.keys(texts.flagNames), ...on])];
            return (
              <Stack className="page-text" gap="lg">
                {names.map((name) => (
                  <Switch
                    key={name}
                    label={name}
                    description={isKnown(name) ? texts.flagNames[name] : texts.otherFlag}
                    checked={on.includes(name)}
                    disabled={turning.isPending}
                    onChange={({ currentTarget }) => turning.mutate({ name, isOn: currentTarget.checked })}
                  />
                ))}
                <Form
                  key={count}
                  label={texts.newFlag}
                  initial={{ name: '' }}
                  fields={{
                    name: { kind: 'text', label: texts.flagName, description: texts.flagHint, isRequired: true },
                  }}
                  submit={texts.turnOn}
                  save={({ name }) => turnFlagOn(name)}
                  onSaved={() => {
                    saved();
                    setCount(count + 1);
                  }}
                />
              </Stack>
            );
          }}
        </Loaded>
      </div>
    </Page>
  );
}
