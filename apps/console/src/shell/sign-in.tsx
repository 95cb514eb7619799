import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../api/client.ts';
import { sessionEnd } from '../api/pauses.ts';
import { type Session, sessionQuery, signIn, startOf } from '../api/session.ts';
import { Alert, Anchor, Button, Modal, PasswordInput, Stack, Text, TextInput, Title } from '../components/controls.ts';
import { leaveToComeBack } from '../components/draft.ts';
import { strings } from '../strings.ts';
import { messageOf } from '../components/states.tsx';

function SignInForm({
  methods,
  email = '',
  onSignedIn,
}: {
  readonly methods: Session['methods'];
  readonly email?: string;
  readonly onSignedIn: (session: Session) => void;
}) {
  const [fields, setFields] = useState({ email, password: '' });
  const sending = useMutation({ mutationFn: signIn, onSuccess: onSignedIn, networkMode: 'always' });
  const { error } = sending;
  const errors = error instanceof ApiError ? error.fields : {};
  const isGeneral = error !== null && Object.keys(errors).length === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    sending.mutate(fields);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={strings.email}
          type="email"
          autoComplete="username"
          required
          value={fields.email}
          error={errors['email']}
          onChange={({ currentTarget: { value } }) => setFields((all) => ({ ...all, email: value }))}
        />
        <PasswordInput
          label={strings.password}
          autoComplete="current-password"
          required
          value={fields.password}
          error={errors['password']}
          onChange={({ currentTarget: { value } }) => setFields((all) => ({ ...all, password: value }))}
        />
        {isGeneral && (
          <Alert color="red" variant="outline" role="alert">
            {messageOf(error)}
          </Alert>
        )}
        <Button type="submit" loading={sending.isPending}>
          {strings.signIn}
        </Button>
        {methods.oidc.map(({ id, name, start }) => (
          <Anchor key={id} href={startOf(start)} onClick={leaveToComeBack}>
            {strings.signInWith(name)}
          </Anchor>
        ))}
      </Stack>
    </form>
  );
}

/** The sign-in, at the address that someone wants to see: afterwards they are there. */
export function SignInPage({ session }: { readonly session: Pick<Session, 'methods' | 'setup_required'> }) {
  const queries = useQueryClient();
  useEffect(() => {
    document.title = `${strings.signIn} – Merlon`;
  }, []);
  return (
    <main className="sign-in">
      <Stack>
        <span className="mark" aria-hidden="true" />
        <Title order={1} size="h3">
          {strings.signIn}
        </Title>
        {session.setup_required ? (
          <Text>{strings.setupRequired}</Text>
        ) : (
          <SignInForm
            methods={session.methods}
            onSignedIn={(signedIn) => queries.setQueryData(sessionQuery.queryKey, signedIn)}
          />
        )}
      </Stack>
    </main>
  );
}

/** Asks for the password over the page when the session has ended; requests that failed are then sent again. */
export function SignInAgain({ session }: { readonly session: Session }) {
  const queries = useQueryClient();
  const hasEnded = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.isOn);
  const onSignedIn = (signedIn: Session): void => {
    // The page may contain what only the former user may see.
    if (signedIn.user.id !== session.user.id) return location.reload();
    queries.setQueryData(sessionQuery.queryKey, signedIn);
    sessionEnd.end(true);
  };
  return (
    <Modal
      opened={hasEnded}
      onClose={() => undefined}
      withCloseButton={false}
      title={strings.signInAgain}
      centered
      zIndex={500}
    >
      <Stack>
        <Text>{strings.signInAgainText}</Text>
        <SignInForm methods={session.methods} email={session.user.email} onSignedIn={onSignedIn} />
      </Stack>
    </Modal>
  );
}
