import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState, useSyncExternalStore } from 'react';
import { sessionsQuery } from '../api/credentials.ts';
import { confirmation } from '../api/pauses.ts';
import { confirmByProvider, confirmSession } from '../api/session.ts';
import { Alert, Button, Modal, PasswordInput, Stack, Text } from '../components/controls.ts';
import { leaveToComeBack } from '../components/draft.ts';
import { messageOf } from '../components/states.tsx';
import { strings } from '../strings.ts';

/** Sends the browser to the identity provider, which returns to the present address. */
function ByProvider() {
  const leaving = useMutation({
    mutationFn: confirmByProvider,
    onSuccess: (address) => {
      leaveToComeBack();
      location.assign(address);
    },
  });
  return (
    <>
      <Text size="sm">{strings.confirmByProviderText}</Text>
      <Button variant="default" loading={leaving.isPending} onClick={() => leaving.mutate()}>
        {strings.confirmByProvider}
      </Button>
    </>
  );
}

function ConfirmForm() {
  const [password, setPassword] = useState('');
  const sessions = useQuery(sessionsQuery('me'));
  const sending = useMutation({ mutationFn: confirmSession, onSuccess: () => confirmation.end(true) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    sending.mutate(password);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text>{strings.confirmText}</Text>
        <PasswordInput
          label={strings.password}
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
        />
        {sending.error && (
          <Alert color="red" variant="outline" role="alert">
            {messageOf(sending.error)}
          </Alert>
        )}
        <Button type="submit" loading={sending.isPending}>
          {strings.confirm}
        </Button>
        {sessions.data?.results.some(({ current, credential }) => current && credential === 'oidc') && <ByProvider />}
      </Stack>
    </form>
  );
}

/** Asks who the person is, over the page, before a change that needs it; the change is then sent again. */
export function ConfirmSession() {
  const isAsked = useSyncExternalStore(confirmation.subscribe, confirmation.isOn);
  return (
    <Modal
      opened={isAsked}
      onClose={() => confirmation.end(false)}
      title={strings.confirmTitle}
      closeButtonProps={{ 'aria-label': strings.close }}
      centered
      zIndex={500}
    >
      <ConfirmForm />
    </Modal>
  );
}
