import { startTestApi, type TestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { MAIL_USER, type MailServer, startMailServer } from '#test/support/mail-server.js';
import { PASSWORD } from '#test/support/passwords.js';
import { trustReceivers } from '#test/support/receiver.js';
import { authPath, pageOf } from '#test/support/sessions.js';

interface Invitation {
  url: string;
  expires: string;
  mailed: boolean;
  mail_error: string | null;
}

let server: MailServer;
let test: TestApi;

beforeAll(async () => {
  trustReceivers();
  server = await startMailServer();
  const { user, password } = MAIL_USER;
  test = await startTestApi({
    SMTP_URL: `smtp://${user}:${encodeURIComponent(password)}@localhost:${server.port}`,
    MAIL_FROM: 'merlon@example.com',
    MAIL_TIMEOUT_SECONDS: '2',
  });
});
afterAll(async () => {
  await test.close();
  await server.stop();
});

const invite = (id: number): Promise<Invitation> => bodyOf(test.api.post<Invitation>(`/users/${id}/invitations/`), 201);

describe('With a mail server, an invitation', () => {
  it('is mailed to the user, and its link works', async () => {
    const user = await test.newUser();
    const { url, mailed, mail_error: error } = await invite(user.id);
    expect([mailed, error]).toEqual([true, null]);
    const [mail] = server.received.filter(({ to }) => to.includes(user.email));
    const text = (mail?.text ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(text).toContain(url);
    expect(text).toContain('Ada Admin invites you');
    const token = new URL(url).hash.slice(1);
    await bodyOf(pageOf(test).post(authPath(test, 'invitation'), { token, password: PASSWORD }));
  });

  it('is returned with the reason if the mail server is not available', async () => {
    const user = await test.newUser();
    await server.stop();
    const { url, mailed, mail_error: error } = await invite(user.id);
    expect(url).toContain('/invitation#');
    expect([mailed, error]).toEqual([false, 'The mail server cannot be reached, or did not answer in time.']);
    server = await startMailServer();
  });
});
