export const state = { verified: 0, alerts: 0 };
export async function verifyPassword(name, password) {
  state.verified += 1;
  return name === 'ann' && password === 'right' ? { name } : undefined;
}
export const raiseAlert = () => void (state.alerts += 1);
