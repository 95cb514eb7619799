export const sent = [];
export const started = [];
export const rows = [];

export const users = { byEmail: async (email) => (email === 'ann@example.com' ? { id: 'ann', email } : undefined) };
export const links = {
  replace: async (userId, link) => void rows.splice(0, rows.length, { userId, ...link }),
  take: async (hash) => {
    const index = rows.findIndex(({ token }) => token.equals(hash));
    return index < 0 ? undefined : rows.splice(index, 1)[0];
  },
};
export const mail = { send: async (email, text) => void sent.push([email, text]) };
export const startSession = async (_request, userId) => void started.push(userId);
