import { administrationStrings as texts } from '../../administration-strings.ts';
import { deliveriesQuery, redeliver } from '../../api/administration.ts';
import { Button, Text } from '../../components/controls.ts';
import { Tag, Time } from '../../components/formats.tsx';
import { Loaded } from '../../components/states.tsx';
import { FactsList } from '../facts-list.tsx';
import { useChange } from '../use-change.ts';
import { useList } from '../use-list.ts';

/** The messages of a webhook, newest first. Each can be sent again. */
export function Deliveries({ webhook }: { readonly webhook: number }) {
  const sending = useChange((id: number) => redeliver(webhook, id), ['deliveries']);
  const deliveries = useList(deliveriesQuery(webhook));
  return (
    <Loaded query={deliveries}>
      {({ results }) => (
        <FactsList
          label={texts.deliveries}
          items={results}
          file={deliveries}
          none={texts.noDeliveries}
          renderTitle={({ status, created }) => (
            <>
              <Tag>{texts.states[status]}</Tag>
              <Text fw={500} size="sm">
                <Time at={created} />
              </Text>
            </>
          )}
          renderFacts={({ attempts, response_status, error }) =>
            [texts.attempts(attempts), response_status, error].filter(Boolean).join(' · ')
          }
          renderAction={({ id }) => (
            <Button size="xs" variant="default" loading={sending.isPending} onClick={() => sending.mutate(id)}>
              {texts.redeliver}
            </Button>
          )}
        />
      )}
    </Loaded>
  );
}
