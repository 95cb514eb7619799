import { useQuery } from '@tanstack/react-query';
import { administrationStrings as texts } from '../../administration-strings.ts';
import { changeTokenPolicy, tokenPolicyQuery } from '../../api/credentials.ts';
import { Stack, Text } from '../../components/controls.ts';
import { type FieldsOf, Form } from '../../components/form.tsx';
import { Page } from '../../components/layout.tsx';
import { Loaded } from '../../components/states.tsx';
import { useSaved } from '../use-change.ts';
import { AdminTabs } from './admin-page.tsx';

type Policy = { readonly max_days: string; readonly scopes_required: boolean };

const FIELDS: FieldsOf<Policy> = {
  max_days: { kind: 'number', label: texts.maxDays, description: texts.maxDaysHint },
  scopes_required: { kind: 'switch', label: texts.scopesRequired, description: texts.scopesRequiredHint },
};

/** What the organization requires of new tokens. */
export function TokenPolicy() {
  const saved = useSaved([]);
  return (
    <Page title={texts.policyTitle} above={<AdminTabs current="token-policy" />}>
      <div className="page-scroll">
        <Loaded query={useQuery(tokenPolicyQuery)}>
          {({ max_days, scopes_required }) => (
            <Stack className="page-text">
              <Text c="dimmed">{texts.policyText}</Text>
              <Form
                label={texts.policyTitle}
                initial={{ max_days: max_days === null ? '' : String(max_days), scopes_required }}
                fields={FIELDS}
                save={(values) =>
                  changeTokenPolicy({
                    ...values,
                    max_days: values.max_days === '' ? null : Number(values.max_days),
                  })
                }
                onSaved={saved}
              />
            </Stack>
          )}
        </Loaded>
      </div>
    </Page>
  );
}
