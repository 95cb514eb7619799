export const state = { stopped: false, stopsMeanwhile: false, approves: true, asked: [], records: [], paid: [] };
export const stopSwitch = { isOn: async () => state.stopped };
export const approvals = {
  ask: async (user, shown) => {
    state.asked.push([user, shown]);
    if (state.stopsMeanwhile) state.stopped = true;
    return state.approves;
  },
};
export const audit = { record: async (entry) => void state.records.push(entry) };
export const invoices = {
  load: async (invoice, user) => {
    if (user !== 'ann') throw new Error('There is no such invoice.');
    return { invoice, payee: 'Example Ltd', cents: 1250 };
  },
  pay: async (invoice, values) => void state.paid.push([invoice, values]),
};
